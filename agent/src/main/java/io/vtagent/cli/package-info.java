/**
 * The command line, {@code java -jar vt-agent.jar ...}: reads reports from an endpoint, a process or a file, shows and compares them. Runs
 * in a JVM of its own, without the agent. Depends on {@code report}, {@code record}, {@code watch}, {@code vm} for the records of a report,
 * on {@code page}, {@code json} and {@code options}; only the entry uses it.
 */
package io.vtagent.cli;
