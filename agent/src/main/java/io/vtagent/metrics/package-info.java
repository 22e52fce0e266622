/**
 * Micrometer meters for the recorded figures. Depends on {@code record}, {@code sampler}, {@code
 * diagnosis}, {@code relief} and {@code scheduler}.
 */
package io.vtagent.metrics;
