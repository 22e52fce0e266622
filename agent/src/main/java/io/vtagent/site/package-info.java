/**
 * Finds where a thread is pinned: walks stacks, finds the holder, the caller and the operation, and
 * fingerprints stacks. Depends on {@code jvm}.
 *
 * <p>{@code MonitorStackWalker} walks the stack of the current thread for the hooks; {@code
 * SnapshotStack} reads that of another one for the sampler and JFR. Both return a {@code
 * PinnedStack}.
 */
package io.vtagent.site;
