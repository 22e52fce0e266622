/**
 * The case {@code native}: what holds a carrier on every JDK: native frames and class initializers;
 * it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.nativeframes;
