package io.vtagent.hook;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The pin in progress on a carrier, or the pin that ended last.
 *
 * <p>Written by the virtual thread that is mounted on the carrier, which cannot move while the
 * carrier is held. Any thread may read it. If the thread has left the carrier nevertheless (an
 * {@code Object.wait} that could unmount after all), the interval is stale: its thread abandons it
 * from wherever it continues, or the next thread that begins an interval replaces it.
 */
final class PinInterval {
    /**
     * The thread of the interval. Written after the fields that describe the interval, and read
     * before them.
     */
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

    /**
     * Odd while the fields that describe an interval are being written. The owner alone does not
     * distinguish two intervals of one thread.
     */
    private int description;

    private long startedAtNanos;
    private PinKind kind = PinKind.PARK;
    private PinReason reason = PinReason.NONE;
    private @Nullable Site site;
    private @Nullable Object monitor;
    private @Nullable Object listenersOwner;
    private boolean compensated;
    private int nested;

    /** Sets the owner that listeners assign to the next interval. */
    void belongsTo(@Nullable Object newOwner) {
        listenersOwner = newOwner;
    }

    /** Begins an interval. See {@link CarrierSlot#begin}. */
    void begin(
            Thread thread,
            PinKind newKind,
            PinReason newReason,
            @Nullable Site newSite,
            @Nullable Object newMonitor) {
        int described = description | 1; // odd also if an earlier write was aborted
        description = described;
        VarHandle.storeStoreFence();
        site = newSite;
        monitor = newMonitor;
        nested = 0;
        compensated = false;
        reason = newReason;
        kind = newKind;
        startedAtNanos = System.nanoTime();
        VarHandle.storeStoreFence();
        description = described + 1;
        owner.setRelease(thread);
    }

    /**
     * Returns whether {@code thread} is already in this interval. If so, the interval expects one
     * more end.
     */
    boolean nest(Thread thread) {
        boolean inside = owner.get() == thread;
        if (inside) {
            nested++;
        }
        return inside;
    }

    /**
     * Ends the interval of {@code thread}.
     *
     * @param timed false if the thread is known not to have waited; then the clock is not read
     * @return its duration in nanoseconds, or {@link CarrierCompensator#UNTIMED} if it is not
     *     timed; -1 if this ends a nested interval or there is none
     */
    long end(Thread thread, boolean timed) {
        if (owner.get() != thread) {
            return -1;
        }
        if (nested > 0) {
            nested--;
            return -1;
        }
        long durationNanos =
                timed ? System.nanoTime() - startedAtNanos : CarrierCompensator.UNTIMED;
        owner.setRelease(null);
        monitor = null;
        return durationNanos;
    }

    /**
     * Drops the interval of {@code thread}, which has left this carrier, if it is still recorded.
     */
    void abandon(Thread thread) {
        owner.compareAndSet(thread, null);
    }

    /** Records whether the interval in progress is compensated. */
    void compensated(boolean accepted) {
        compensated |= accepted;
    }

    boolean isCompensated() {
        return compensated;
    }

    PinKind kind() {
        return kind;
    }

    PinReason reason() {
        return reason;
    }

    /**
     * Returns the monitor that the thread of the interval in progress waits to enter, or null.
     * Called by that thread.
     */
    @Nullable Object monitor() {
        return monitor;
    }

    /**
     * Returns the site that the interval is attributed to, if it was known when the interval began.
     */
    @Nullable Site site() {
        return site;
    }

    /** Returns the thread of the interval in progress, or null if there is none. */
    @Nullable Thread owner() {
        return owner.get();
    }

    /**
     * Returns the interval in progress, as of {@code nowNanos}; null if there is none. Also null if
     * the interval ended meanwhile, even if another one has begun.
     *
     * @param relief for the carrier
     */
    @Nullable ActivePin active(Thread carrier, long nowNanos, CompensationToken relief) {
        Thread thread = owner.get();
        int described = description;
        VarHandle.loadLoadFence();
        PinKind activeKind = kind;
        PinReason activeReason = reason;
        Site activeSite = site;
        Object activeMonitor = monitor;
        Object activeOwner = listenersOwner;
        boolean activeCompensated = compensated || relief.isCompensated();
        boolean activeRefused = relief.isRefused();
        long ageNanos = nowNanos - startedAtNanos;
        VarHandle.loadLoadFence();
        // in this order: the next interval, perhaps of the same thread, changes the description
        // before the owner
        if (thread == null
                || owner.get() != thread
                || described % 2 != 0
                || description != described) {
            return null;
        }
        return new ActivePin(
                activeKind,
                activeReason,
                Math.max(ageNanos, 0),
                thread,
                carrier,
                activeCompensated,
                activeSite,
                activeMonitor,
                activeOwner,
                Samples.NONE,
                activeRefused);
    }
}
