/**
 * The use of Flight Recorder: starting it, its disk space, its clock, JFR events of the JVM, and
 * pins as JFR events. Used by {@code sampler}, {@code ledger} and {@code exporter}.
 */
package io.vtagent.jfr;
