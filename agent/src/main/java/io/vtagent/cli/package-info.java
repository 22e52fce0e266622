/**
 * The command line, {@code java -jar vt-agent.jar ...}: reads, shows and compares reports from an
 * endpoint, a process or a file. It also brings the agent into other JVMs and controls it there.
 * Runs in its own JVM, without the agent. Depends on {@code report}, {@code pin}, {@code ledger},
 * {@code site} and {@code diagnosis} for the records of a report, and on {@code page}, {@code
 * json}, {@code options}, {@code jvm} and {@code log}. Only the entry class uses it, by name.
 */
package io.vtagent.cli;
