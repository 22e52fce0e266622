/**
 * Micrometer meters for the recorded figures. Depends on {@code pin}, {@code ledger}, {@code
 * usage}, {@code sampler}, {@code diagnosis}, {@code relief} and {@code scheduler}.
 */
package io.vtagent.metrics;
