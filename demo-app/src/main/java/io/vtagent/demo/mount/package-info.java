/**
 * The case {@code mount}: what it costs to leave a carrier to another thread; it depends on the JDK
 * and on what the cases share, and on no other case.
 */
package io.vtagent.demo.mount;
