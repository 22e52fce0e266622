package io.vtagent.ledger;

import io.vtagent.hook.CarrierSlot;
import io.vtagent.hook.PinHistograms;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationHistogram;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sums the counts of all carriers, and keeps the counts of carriers that have ended. Thread-safe by
 * one lock, which is not held while a sink is called.
 *
 * <p>The JVM's end may wait for the first sum. So {@link #sumUp} has no lambdas, which take long
 * the first time.
 */
final class Collector {
    private final List<CumulativeTotals> byKey = new ArrayList<>();
    private final Map<PinKind, CumulativeTotals> unattributed = new EnumMap<>(PinKind.class);
    private final Map<PinSink, CoalescedTask> sinks = new LinkedHashMap<>();

    Collector(Buckets buckets) {
        for (int key = 0; key < PinKey.COUNT; key++) {
            byKey.add(new CumulativeTotals(buckets));
        }
        for (PinKind kind : PinKind.values()) {
            unattributed.put(kind, new CumulativeTotals(Buckets.COARSE));
        }
    }

    synchronized void publishTo(PinSink sink) {
        sinks.put(sink, new CoalescedTask(() -> publish(sink)));
    }

    synchronized void publishNoMore(PinSink sink) {
        sinks.remove(sink);
        byKey.forEach(totals -> totals.forget(sink));
    }

    /**
     * Waits up to one second until {@code sink} has all that was collected: another thread may
     * still be publishing to it.
     */
    void awaitPublished(PinSink sink) {
        CoalescedTask task;
        synchronized (this) {
            task = sinks.get(sink);
        }
        if (task != null) {
            task.await();
        }
    }

    /**
     * @param outside pins that the sampler or JFR found
     */
    EndedPins collect(Iterable<CarrierSlot> slots, PinHistograms outside) {
        EndedPins ended;
        List<CoalescedTask> toPublish;
        synchronized (this) {
            ended = sum(slots, outside);
            toPublish = List.copyOf(sinks.values());
        }
        toPublish.forEach(CoalescedTask::run);
        return ended;
    }

    /** Returns the totals. Calls no sink, so it is safe while the JVM ends. */
    synchronized EndedPins sumUp(Iterable<CarrierSlot> slots, PinHistograms outside) {
        return sum(slots, outside);
    }

    /** Returns whether no pin has been counted. */
    synchronized boolean isEmpty(Iterable<CarrierSlot> slots, PinHistograms outside) {
        for (CumulativeTotals totals : byKey) {
            if (totals.hasRetired()) {
                return false;
            }
        }
        for (CarrierSlot slot : slots) {
            if (!slot.histograms().isEmpty()) {
                return false;
            }
        }
        return outside.isEmpty();
    }

    private void publish(PinSink sink) {
        for (int key = 0; key < PinKey.COUNT; key++) {
            DurationTotals since = newFor(sink, key);
            if (since != null) {
                sink.accept(PinKey.at(key), since);
                handed(sink, key);
            }
        }
    }

    private synchronized @Nullable DurationTotals newFor(PinSink sink, int key) {
        return sinks.containsKey(sink) ? byKey.get(key).newFor(sink) : null;
    }

    private synchronized void handed(PinSink sink, int key) {
        byKey.get(key).handed(sink);
    }

    private EndedPins sum(Iterable<CarrierSlot> slots, PinHistograms outside) {
        retireEnded(slots);
        List<PinHistograms> all = new ArrayList<>();
        for (CarrierSlot slot : slots) {
            all.add(slot.histograms());
        }
        all.add(outside);
        Map<PinKey, DurationTotals> endedByKey = new HashMap<>();
        Map<PinKey, Samples> samples = new HashMap<>();
        for (int key = 0; key < PinKey.COUNT; key++) {
            CumulativeTotals totals = byKey.get(key);
            List<DurationHistogram> counted = new ArrayList<>();
            for (PinHistograms each : all) {
                addIfAny(counted, each.of(key));
            }
            if (counted.isEmpty() && !totals.hasRetired()) {
                continue; // the case for most keys, each second
            }
            DurationTotals total = totals.sum(counted);
            if (total.count() > 0) {
                endedByKey.put(PinKey.at(key), total);
                samples.put(PinKey.at(key), outside.samplesOf(key));
            }
        }
        Map<PinKind, DurationTotals> endedUnattributed = new EnumMap<>(PinKind.class);
        Map<PinKind, Samples> unattributedSamples = new EnumMap<>(PinKind.class);
        for (PinKind kind : PinKind.values()) {
            List<DurationHistogram> counted = new ArrayList<>();
            for (PinHistograms each : all) {
                addIfAny(counted, each.unattributed(kind));
            }
            endedUnattributed.put(kind, unattributedOf(kind).sum(counted));
            unattributedSamples.put(kind, outside.unattributedSamples(kind));
        }
        return new EndedPins(endedByKey, endedUnattributed, samples, unattributedSamples);
    }

    private static void addIfAny(
            List<DurationHistogram> counted, @Nullable DurationHistogram histogram) {
        if (histogram != null) {
            counted.add(histogram);
        }
    }

    private CumulativeTotals unattributedOf(PinKind kind) {
        return Objects.requireNonNull(unattributed.get(kind));
    }

    /**
     * Moves the counts of ended carriers to the totals and removes their slots. If this fails in
     * the middle, the next call resumes there.
     */
    private void retireEnded(Iterable<CarrierSlot> slots) {
        for (Iterator<CarrierSlot> rest = slots.iterator(); rest.hasNext(); ) {
            CarrierSlot slot = rest.next();
            if (slot.carrier().isAlive()) {
                continue;
            }
            PinHistograms last = slot.histograms();
            for (int key = 0; key < PinKey.COUNT; key++) {
                if (last.of(key) != null) {
                    byKey.get(key).prepareToRetire(); // before the take: memory may run out
                    byKey.get(key).retire(last.take(key));
                }
            }
            for (PinKind kind : PinKind.values()) {
                unattributedOf(kind).prepareToRetire();
                unattributedOf(kind).retire(last.takeUnattributed(kind));
            }
            rest.remove();
        }
    }
}
