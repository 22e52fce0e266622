/**
 * Sums up the pins that the hooks, the sampler and JFR have found, and the delays of new threads,
 * and publishes the totals to the meters. Also knows which sensors work. For the agent's own
 * threads, except {@code StartupGate}, which lets a thread of the application wait until the hooks
 * are there. Depends on {@code hook}, {@code pin}, {@code site}, {@code scheduler} and {@code jfr}.
 */
package io.vtagent.ledger;
