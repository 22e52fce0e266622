package io.vtagent.ledger;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Carrier time held up to the last {@link #refresh}, by ended pins and pins in progress, by kind.
 * It never decreases, even when a pin in progress is about to be counted as ended or turns out not
 * to be a pin. Time is never counted under two kinds: if a pin is reclassified after it was
 * reported, its time stays under the old kind, and as much later time of the old kind is reported
 * under the new one. Thread-safe by one lock, which is not held while the suppliers are called.
 */
public final class HeldTime {
    private static final PinKind[] KINDS = PinKind.values();

    private final Supplier<EndedPins> ended;
    private final Supplier<List<ActivePin>> active;
    private final long[] reported = new long[KINDS.length];

    /**
     * @param ended supplies the pins that have ended
     * @param active supplies the pins in progress
     */
    public HeldTime(Supplier<EndedPins> ended, Supplier<List<ActivePin>> active) {
        this.ended = ended;
        this.active = active;
    }

    /** Returns the held time of {@code kind}, in nanoseconds. */
    public synchronized long nanos(PinKind kind) {
        return reported[kind.ordinal()];
    }

    /** Reads the pins and updates the held time. */
    public void refresh() {
        // in this order: a pin that ends meanwhile is not counted twice
        EndedPins totals = ended.get();
        take(totals, ActivePinTotals.by(ActivePin::kind, active.get()));
    }

    /** Applies a reading. One that is older than the last has a smaller sum and changes nothing. */
    private synchronized void take(EndedPins totals, Map<PinKind, ActivePinTotals> inProgress) {
        long[] more = new long[KINDS.length];
        long moreInAll = 0;
        long newInAll = 0;
        for (PinKind each : KINDS) {
            long now =
                    totals.nanos(each)
                            + inProgress.getOrDefault(each, ActivePinTotals.NONE).nanos();
            long grown = now - reported[each.ordinal()];
            newInAll += grown;
            more[each.ordinal()] = Math.max(grown, 0);
            moreInAll += more[each.ordinal()];
        }
        if (newInAll > 0) {
            // below 1 if a kind was reported as more than it is now
            double share = (double) newInAll / moreInAll;
            for (int i = 0; i < more.length; i++) {
                reported[i] += newInAll == moreInAll ? more[i] : (long) (share * more[i]);
            }
        }
    }
}
