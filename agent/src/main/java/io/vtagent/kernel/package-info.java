/**
 * Per-thread data that Linux reports under {@code /proc}. Used by {@code record} and {@code
 * sampler}.
 */
package io.vtagent.kernel;
