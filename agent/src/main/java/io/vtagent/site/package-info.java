/**
 * Finds where a thread is pinned: walks stacks, finds the holder, the caller and the operation, and
 * fingerprints stacks. Used by {@code record}, {@code jfr} and {@code sampler}.
 */
package io.vtagent.site;
