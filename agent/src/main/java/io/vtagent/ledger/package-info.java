/**
 * Sums up the pins that the hooks, the sampler and JFR have found, and the delays of new threads.
 * Also knows which sensors work. For the agent's own threads. Depends on {@code hook}, {@code pin},
 * {@code site}, {@code scheduler} and {@code jfr}.
 *
 * <p>{@code Ledger} is the entry. {@code Collector} sums up, and passes new totals to each {@code
 * PinSink}, such as {@code PinMeters} of {@code metrics}.
 */
package io.vtagent.ledger;
