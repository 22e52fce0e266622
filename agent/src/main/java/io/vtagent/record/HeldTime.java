package io.vtagent.record;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The carrier time that was held until the last {@link #refresh}, ended or in progress, by kind. It never decreases: a pin that is about to
 * be counted when it is asked for, or that turns out not to be one, leaves it as it was. Nor does any time count for two kinds: what turns
 * out to be of another kind stays where it was told, and as much of the next that is held is told of that other kind. Thread-safe by one
 * lock.
 */
public final class HeldTime {
    private static final PinKind[] KINDS = PinKind.values();

    private final Supplier<EndedPins> ended;
    private final Supplier<List<ActivePin>> active;
    private final long[] told = new long[KINDS.length];

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
        return told[kind.ordinal()];
    }

    /** Asks for the pins. */
    public synchronized void refresh() {
        // in this order: a pin that ends meanwhile is not counted twice
        EndedPins totals = ended.get();
        Map<PinKind, InProgress> inProgress = InProgress.by(ActivePin::kind, active.get());
        long[] more = new long[KINDS.length];
        long moreInAll = 0;
        long newInAll = 0;
        for (PinKind each : KINDS) {
            long now = totals.nanos(each)
                    + inProgress.getOrDefault(each, InProgress.NONE).nanos();
            long grown = now - told[each.ordinal()];
            newInAll += grown;
            more[each.ordinal()] = Math.max(grown, 0);
            moreInAll += more[each.ordinal()];
        }
        if (newInAll > 0) {
            double share = (double) newInAll / moreInAll; // less than 1 where a kind has been told more than it is now
            for (int i = 0; i < more.length; i++) {
                told[i] += newInAll == moreInAll ? more[i] : (long) (share * more[i]);
            }
        }
    }
}
