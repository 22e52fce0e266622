package io.vtagent.record;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The carrier time that was held so far, ended or in progress, by kind. It never decreases: a pin that is about to be counted when
 * it is asked for, or that turns out not to be one, leaves it as it was. Thread-safe by one lock.
 */
public final class HeldTime {
    private final Supplier<EndedPins> ended;
    private final Supplier<List<ActivePin>> active;
    private final long[] nanos = new long[PinKind.values().length];

    /**
     * @param ended the pins that have ended, when it is asked
     * @param active the pins in progress, when it is asked
     */
    public HeldTime(Supplier<EndedPins> ended, Supplier<List<ActivePin>> active) {
        this.ended = ended;
        this.active = active;
    }

    /** In nanoseconds. */
    public synchronized long nanos(PinKind kind) {
        // in this order: a pin that ends meanwhile is not counted twice
        EndedPins totals = ended.get();
        Map<PinKind, InProgress> inProgress = InProgress.by(ActivePin::kind, active.get());
        long now = totals.nanos(kind)
                + inProgress.getOrDefault(kind, InProgress.NONE).nanos();
        nanos[kind.ordinal()] = Math.max(nanos[kind.ordinal()], now);
        return nanos[kind.ordinal()];
    }
}
