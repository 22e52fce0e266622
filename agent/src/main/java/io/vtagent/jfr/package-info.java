/**
 * The use of Flight Recorder: its disk space, its clock, JFR events of the JVM, and pins as JFR
 * events. Used by {@code sampler}, {@code ledger} and {@code exporter}. Depends on {@code site} for
 * stacks.
 *
 * <p>{@code JfrStart} starts it; {@code JfrStartPolicy} and {@code JfrSensor} of {@code sampler}
 * decide when. {@code VmEvents} streams the events of the JVM, and {@code PinEvents} writes the
 * agent's.
 */
package io.vtagent.jfr;
