package io.vtagent.record;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The pin that is in progress on a carrier, or the one that ended last.
 *
 * <p>Written by the virtual thread that is mounted on the carrier, which cannot move while it is held, and read by anybody. An
 * interval whose thread has left the carrier in spite of it (an {@code Object.wait} that could unmount after all) is stale: its
 * thread abandons it from wherever it goes on, or the next thread to begin one replaces it.
 */
final class PinInterval {
    /** Whose interval it is. Written after the fields that describe the interval, and read before them. */
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

    /** Odd while an interval is being described. The owner alone does not tell two intervals of one thread apart. */
    private int description;

    private long startedAtNanos;
    private PinKind kind = PinKind.PARK;
    private PinReason reason = PinReason.NONE;
    private @Nullable Site site;
    private @Nullable Object monitor;
    private @Nullable Object listenersOwner;
    private boolean compensated;
    private int nested;

    /** Whom the next interval belongs to. */
    void belongsTo(@Nullable Object newOwner) {
        listenersOwner = newOwner;
    }

    /** Begins an interval. See {@link CarrierSlot#begin}. */
    void begin(
            Thread thread, PinKind newKind, PinReason newReason, @Nullable Site newSite, @Nullable Object newMonitor) {
        int described = description | 1; // odd also if a description was broken off
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

    /** Whether {@code thread} is in this interval already, which then has one more end to come. */
    boolean nest(Thread thread) {
        boolean inside = owner.get() == thread;
        if (inside) {
            nested++;
        }
        return inside;
    }

    /** Ends the interval of {@code thread}: its duration, or -1 if this ends a nested one or there is none. */
    long end(Thread thread) {
        return end(thread, true);
    }

    /** The same, but for the duration, where the thread is known not to have waited: {@link Reliever#UNTIMED}. */
    long endUntimed(Thread thread) {
        return end(thread, false);
    }

    private long end(Thread thread, boolean timed) {
        if (owner.get() != thread) {
            return -1;
        }
        if (nested > 0) {
            nested--;
            return -1;
        }
        long durationNanos = timed ? System.nanoTime() - startedAtNanos : Reliever.UNTIMED;
        owner.setRelease(null);
        monitor = null;
        return durationNanos;
    }

    /** Drops the interval of {@code thread}, which is not on this carrier any more, if it is still there. */
    void abandon(Thread thread) {
        owner.compareAndSet(thread, null);
    }

    /** The scheduler's answer for the interval in progress. */
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

    /** What the thread of the interval in progress waits to enter, or null. For that thread. */
    @Nullable
    Object monitor() {
        return monitor;
    }

    /** What it is attributed to, if that was known when it began. */
    @Nullable
    Site site() {
        return site;
    }

    /** The thread of the interval in progress, or null if there is none. */
    @Nullable
    Thread owner() {
        return owner.get();
    }

    /** The interval in progress, as of {@code nowNanos}; null if there is none, or it ended meanwhile, though another one may have begun. */
    @Nullable
    ActivePin active(Thread carrier, long nowNanos, boolean relieved) {
        Thread thread = owner.get();
        int described = description;
        VarHandle.loadLoadFence();
        PinKind activeKind = kind;
        PinReason activeReason = reason;
        Site activeSite = site;
        Object activeMonitor = monitor;
        Object activeOwner = listenersOwner;
        boolean activeCompensated = compensated || relieved;
        long ageNanos = nowNanos - startedAtNanos;
        VarHandle.loadLoadFence();
        // in this order: the next interval, of the same thread perhaps, changes the description before the owner
        if (thread == null || owner.get() != thread || described % 2 != 0 || description != described) {
            return null;
        }
        return new ActivePin(
                activeKind,
                activeSite == null ? activeReason : activeSite.refine(activeReason),
                Math.max(ageNanos, 0),
                thread,
                carrier,
                activeCompensated,
                activeSite,
                activeMonitor,
                activeOwner);
    }
}
