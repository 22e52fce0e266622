/**
 * What several cases need to put a load on the JVM: threads, a server that is slow and its client,
 * a second JVM, and what a run is counted by; it depends on {@code io.vtagent.demo.model}, and on
 * no case.
 */
package io.vtagent.demo.workload;
