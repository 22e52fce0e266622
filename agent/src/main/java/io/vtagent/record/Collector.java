package io.vtagent.record;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sums the tallies of all carriers up, and keeps the sums of those that have ended. Thread-safe by one lock. */
final class Collector {
    private final Buckets buckets;
    private final PinTotals[] retired = new PinTotals[PinKey.COUNT];
    private final PinTotals[] published = new PinTotals[PinKey.COUNT];
    private final PinTotals[] retiredUnattributed = new PinTotals[PinKind.values().length];
    private final long[] longestNanos = new long[PinKey.COUNT];
    private final long[] unpublishedLongestNanos = new long[PinKey.COUNT];
    private @Nullable PinSink sink;

    Collector(Buckets buckets) {
        this.buckets = buckets;
        Arrays.setAll(retired, key -> new PinTotals(buckets));
        Arrays.setAll(published, key -> new PinTotals(buckets));
        Arrays.setAll(retiredUnattributed, kind -> new PinTotals(Buckets.SINGLE));
    }

    synchronized void publishTo(PinSink newSink) {
        sink = newSink;
    }

    /** @param outside pins that were noticed from outside their carriers */
    synchronized Totals collect(Iterable<CarrierSlot> slots, Tallies outside) {
        retireEnded(slots);
        Map<PinKey, PinTotals> byKey = new HashMap<>();
        for (int index = 0; index < PinKey.COUNT; index++) {
            PinTotals total = sum(slots, outside, index);
            if (total.count() > 0) {
                publish(index, total);
                byKey.put(PinKey.at(index), total);
            }
        }
        Map<PinKind, PinTotals> unattributed = new EnumMap<>(PinKind.class);
        for (PinKind kind : PinKind.values()) {
            PinTotals retiredOfKind = retiredUnattributed[kind.ordinal()];
            PinTotals total = new PinTotals(Buckets.SINGLE);
            total.add(retiredOfKind);
            for (CarrierSlot slot : slots) {
                addTo(total, slot.tallies().unattributed(kind));
            }
            addTo(total, outside.unattributed(kind));
            retiredOfKind.longest(total.longestNanos());
            total.longest(retiredOfKind.longestNanos());
            unattributed.put(kind, total);
        }
        return new Totals(byKey, unattributed);
    }

    private PinTotals sum(Iterable<CarrierSlot> slots, Tallies outside, int index) {
        PinTotals total = new PinTotals(buckets);
        total.add(retired[index]);
        for (CarrierSlot slot : slots) {
            addTo(total, slot.tallies().of(index));
        }
        addTo(total, outside.of(index));
        long newest = Math.max(total.longestNanos(), retired[index].takeLongest());
        unpublishedLongestNanos[index] = Math.max(unpublishedLongestNanos[index], newest);
        longestNanos[index] = Math.max(longestNanos[index], newest);
        total.longest(longestNanos[index]);
        return total;
    }

    private void publish(int index, PinTotals total) {
        PinSink to = sink;
        PinTotals since = total.since(published[index], unpublishedLongestNanos[index]);
        if (to != null && since.count() > 0) {
            to.accept(PinKey.at(index), since);
            published[index] = total;
            unpublishedLongestNanos[index] = 0;
        }
    }

    /** A carrier that has ended counts no more, so that its slot can go. */
    private void retireEnded(Iterable<CarrierSlot> slots) {
        for (Iterator<CarrierSlot> rest = slots.iterator(); rest.hasNext(); ) {
            CarrierSlot slot = rest.next();
            if (slot.carrier().isAlive()) {
                continue;
            }
            for (int index = 0; index < PinKey.COUNT; index++) {
                addTo(retired[index], slot.tallies().of(index));
            }
            for (PinKind kind : PinKind.values()) {
                addTo(retiredUnattributed[kind.ordinal()], slot.tallies().unattributed(kind));
            }
            rest.remove();
        }
    }

    private static void addTo(PinTotals total, @Nullable Tally tally) {
        if (tally != null) {
            tally.addTo(total);
        }
    }
}
