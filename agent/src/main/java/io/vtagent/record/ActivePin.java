package io.vtagent.record;

import org.jspecify.annotations.Nullable;

/**
 * A pin that has not ended yet.
 *
 * @param thread the virtual thread that holds {@code carrier}
 * @param compensated whether the scheduler or relief makes up for the carrier
 * @param site what it will be attributed to, as far as that is known
 * @param monitor what the thread waits to enter, of kind {@link PinKind#ENTER}, or the class that it waits for, of kind
 *     {@link PinKind#CLASS_INIT}, if it is known
 * @param owner what the first {@link PinListener} that knew one called its owner when it began
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
        @Nullable Object owner) {

    /** One that nobody knows the owner of. */
    public ActivePin(
            PinKind kind,
            PinReason reason,
            long ageNanos,
            Thread thread,
            Thread carrier,
            boolean compensated,
            @Nullable Site site,
            @Nullable Object monitor) {
        this(kind, reason, ageNanos, thread, carrier, compensated, site, monitor, null);
    }

    /** What it will be counted as when it ends. */
    public PinKey key() {
        return new PinKey(kind, reason, compensated);
    }

    /** What it will be attributed to when it ends. */
    public PinSite siteKey() {
        return site == null ? PinSite.unattributed(kind) : site.key();
    }
}
