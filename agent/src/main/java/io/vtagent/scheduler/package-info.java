/**
 * The scheduler of virtual threads: its carriers, its figures, and how it compensates. Used by
 * {@code record}, {@code sampler}, {@code diagnosis} and {@code relief}.
 */
package io.vtagent.scheduler;
