/**
 * The catalogue of the cases, and the entry of the JVM that runs one. Each case is a package of its
 * own, with all that only it needs: workloads that hold the carriers of virtual threads, as they
 * are often written, and fixed. What the cases share is in {@code model}, {@code workload} and
 * {@code text}. They depend on the JDK and a JDBC driver, and not on the agent.
 */
package io.vtagent.demo;
