package io.vtagent.record;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Adds up what all carriers have counted, and keeps what those counted that have ended. Thread-safe by one lock. */
final class Collector {
    private final List<CumulativeTotals> byKey = new ArrayList<>();
    private final Map<PinKind, CumulativeTotals> unattributed = new EnumMap<>(PinKind.class);
    private final List<PinSink> sinks = new ArrayList<>();

    Collector(Buckets buckets) {
        for (int key = 0; key < PinKey.COUNT; key++) {
            byKey.add(new CumulativeTotals(buckets));
        }
        for (PinKind kind : PinKind.values()) {
            unattributed.put(kind, new CumulativeTotals(Buckets.SINGLE));
        }
    }

    synchronized void publishTo(PinSink sink) {
        sinks.add(sink);
    }

    synchronized void publishNoMore(PinSink sink) {
        sinks.remove(sink);
        byKey.forEach(totals -> totals.forget(sink));
    }

    /** @param outside pins that were noticed from outside their carriers */
    synchronized EndedPins collect(Iterable<CarrierSlot> slots, PinHistograms outside) {
        retireEnded(slots);
        List<PinHistograms> all = new ArrayList<>();
        slots.forEach(slot -> all.add(slot.histograms()));
        all.add(outside);
        Map<PinKey, DurationTotals> endedByKey = new HashMap<>();
        for (int key = 0; key < PinKey.COUNT; key++) {
            CumulativeTotals totals = byKey.get(key);
            List<DurationHistogram> counted = counted(all, PinHistograms::of, key);
            if (counted.isEmpty() && !totals.hasRetired()) {
                continue; // as it is with most keys, each second
            }
            DurationTotals total = totals.sum(counted);
            if (total.count() > 0) {
                PinKey pins = PinKey.at(key);
                sinks.forEach(sink -> totals.publish(total, sink, since -> sink.accept(pins, since)));
                endedByKey.put(pins, total);
            }
        }
        Map<PinKind, DurationTotals> endedUnattributed = new EnumMap<>(PinKind.class);
        unattributed.forEach((kind, totals) ->
                endedUnattributed.put(kind, totals.sum(counted(all, PinHistograms::unattributed, kind))));
        return new EndedPins(endedByKey, endedUnattributed);
    }

    private static <K> List<DurationHistogram> counted(
            List<PinHistograms> all, BiFunction<PinHistograms, K, @Nullable DurationHistogram> which, K key) {
        List<DurationHistogram> counted = new ArrayList<>();
        for (PinHistograms each : all) {
            DurationHistogram histogram = which.apply(each, key);
            if (histogram != null) {
                counted.add(histogram);
            }
        }
        return counted;
    }

    /** A carrier that has ended counts no more, so that its slot can go. What has failed in the middle goes on there the next time. */
    private void retireEnded(Iterable<CarrierSlot> slots) {
        for (Iterator<CarrierSlot> rest = slots.iterator(); rest.hasNext(); ) {
            CarrierSlot slot = rest.next();
            if (slot.carrier().isAlive()) {
                continue;
            }
            PinHistograms last = slot.histograms();
            for (int key = 0; key < PinKey.COUNT; key++) {
                if (last.of(key) != null) {
                    byKey.get(key).prepareToRetire(); // before it is taken: there may be no memory
                    byKey.get(key).retire(last.take(key));
                }
            }
            unattributed.forEach((kind, totals) -> {
                totals.prepareToRetire();
                totals.retire(last.takeUnattributed(kind));
            });
            rest.remove();
        }
    }
}
