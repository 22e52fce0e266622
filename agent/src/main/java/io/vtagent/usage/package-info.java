/**
 * The use of the carriers' time: whether they are held, running, ready to run or idle, which code
 * computes on them, how much of the scheduler is lost, and how long virtual threads wait for one.
 * Called by {@code sampler}. Depends on {@code ledger}, {@code hook}, {@code pin}, {@code site},
 * {@code scheduler} and {@code kernel}.
 */
package io.vtagent.usage;
