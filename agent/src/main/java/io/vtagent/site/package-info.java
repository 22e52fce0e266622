/**
 * Finds where a thread is pinned: walks stacks, finds the holder, the caller and the operation, and
 * fingerprints stacks. Depends on {@code jvm}.
 */
package io.vtagent.site;
