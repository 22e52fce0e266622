package io.vtagent.record;

import org.jspecify.annotations.Nullable;

/**
 * One pin that has ended.
 *
 * @param site null if its stack was not walked
 * @param endedAtNanos on the scale of {@link System#nanoTime}; of one that was noticed from outside it is an estimate
 * @param thread the virtual thread that held its carrier, null if that is not known
 * @param threadId its id, 0 if that is not known
 * @param onItsThread whether the current thread is {@code thread}, or else one of the agent's that has noticed the pin from outside
 */
public record EndedPin(
        PinKind kind,
        PinReason reason,
        boolean compensated,
        @Nullable Site site,
        long nanos,
        long endedAtNanos,
        @Nullable Thread thread,
        long threadId,
        boolean onItsThread) {

    /** The same for who keeps it, and is not to keep the thread from being collected. */
    public EndedPin withoutThread() {
        return new EndedPin(kind, reason, compensated, site, nanos, endedAtNanos, null, threadId, onItsThread);
    }

    /** What it is attributed to. */
    public PinSite siteKey() {
        return site == null ? PinSite.unattributed(kind) : site.key();
    }
}
