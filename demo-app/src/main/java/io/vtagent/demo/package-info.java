/**
 * Workloads that hold the carriers of virtual threads, each as it is often written and as it is mended; they depend on the
 * JDK and a JDBC driver, and do not know the agent.
 */
package io.vtagent.demo;
