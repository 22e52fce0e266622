/**
 * The case {@code monitors}: locks and monitors around I/O, one for all and one for each; it
 * depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.monitors;
