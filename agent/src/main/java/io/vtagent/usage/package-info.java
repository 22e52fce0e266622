/**
 * The use of the carriers' time. Called by {@code sampler}. Depends on {@code ledger}, {@code
 * hook}, {@code pin}, {@code site}, {@code scheduler} and {@code kernel}.
 *
 * <p>{@code CarrierUsage} knows for how long carriers are held, running, ready to run, idle and
 * lost, and how long virtual threads wait for one. {@code BusyCarriers} finds code that computes,
 * and {@code DelayProbe} measures how late a new virtual thread runs.
 */
package io.vtagent.usage;
