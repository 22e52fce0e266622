package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * A pin that has ended.
 *
 * @param site null if its stack was not walked
 * @param endedAtNanos on the scale of {@link System#nanoTime}; an estimate if the sampler or JFR
 *     found the pin
 * @param thread the virtual thread that held its carrier, or null if it is not known
 * @param threadId the id of the thread, or 0 if it is not known
 * @param onItsThread whether the current thread is {@code thread}; otherwise it is a thread of the
 *     agent that handles pins found by the sampler or JFR
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

    /**
     * Returns this pin without the thread, so that keeping the pin does not prevent the thread from
     * being garbage-collected.
     */
    public EndedPin withoutThread() {
        return new EndedPin(
                kind, reason, compensated, site, nanos, endedAtNanos, null, threadId, onItsThread);
    }

    /** Returns the site that the pin is attributed to. */
    public PinSite siteKey() {
        return site == null ? PinSite.unattributed(kind) : site.key();
    }
}
