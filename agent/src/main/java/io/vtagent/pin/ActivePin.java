package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * A pin that has not ended yet.
 *
 * @param thread the virtual thread that holds {@code carrier}
 * @param compensated whether the scheduler or relief compensates for the carrier
 * @param site the site that the pin will be attributed to, or null if it is not known yet
 * @param monitor the monitor that the thread waits to enter, if it is known; only for {@link
 *     PinKind#ENTER}
 * @param owner the owner of the pin when it began, from the first {@link PinListener} that returned
 *     one
 * @param samples the samples that the age rests on, if the sampler found the pin
 * @param refused whether relief was asked for compensation when the pin began, and had none
 */
public record ActivePin(
        PinKind kind,
        PinReason reason,
        long ageNanos,
        Thread thread,
        Thread carrier,
        boolean compensated,
        @Nullable Site site,
        @Nullable Object monitor,
        @Nullable Object owner,
        Samples samples,
        boolean refused) {

    /** Returns the key under which the pin will be counted when it ends. */
    public PinKey key() {
        return new PinKey(kind, reason, compensated);
    }

    /**
     * Returns the part of the age that is certain: that of a sampled pin counts from the first
     * sample on.
     */
    public long certainNanos() {
        return samples.pins() == 0 ? ageNanos : Math.min(samples.seenNanos(), ageNanos);
    }

    /** Returns the site that the pin will be attributed to when it ends. */
    public PinSite siteKey() {
        return site == null ? PinSite.unattributed(kind) : site.key();
    }
}
