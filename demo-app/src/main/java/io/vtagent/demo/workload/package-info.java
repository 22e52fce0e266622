/**
 * Utilities with which several cases put a load on the JVM: threads, a slow server and its client,
 * a second JVM, and the counters of a run. It depends on {@code io.vtagent.demo.model}, and on no
 * case.
 */
package io.vtagent.demo.workload;
