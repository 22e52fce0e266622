/**
 * The case {@code compute}: threads that compute, beside others that are due; it depends on the JDK
 * and on what the cases share, and on no other case.
 */
package io.vtagent.demo.compute;
