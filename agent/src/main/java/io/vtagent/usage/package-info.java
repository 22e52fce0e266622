/**
 * What carriers do with their time: whether they are held, running, ready to run or idle, which
 * code computes on them, how much of the scheduler is lost, and how long virtual threads wait for
 * one. Driven by {@code sampler}.
 */
package io.vtagent.usage;
