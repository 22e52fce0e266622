/**
 * The books: {@code Ledger} sums up the pins that the hooks, the sampler and JFR have found, and
 * publishes the totals to the meters. For the agent's own threads.
 */
package io.vtagent.ledger;
