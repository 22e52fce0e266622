package io.vtagent.cli;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.CarrierTime;
import io.vtagent.report.PinReport.Held;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The interval between two reports of the same JVM.
 *
 * @param now the later report
 * @param nanos the length of the interval, 0 if there is only one report
 * @param heldNanos held carrier time by kind of pin
 * @param carriers where the carriers' time went in the interval
 * @param sites the sites that held carriers in the interval
 */
record Interval(
        PinReport now,
        long nanos,
        Map<PinKind, Long> heldNanos,
        CarrierTime carriers,
        Map<PinSite, Meanwhile> sites) {

    private static final double MIN_CARRIERS = 0.005;

    /** The pins of one site in an interval. */
    record Meanwhile(long count, long nanos, long waitedNanos) {}

    /** Returns an interval with {@code now} alone, whose past is unknown. */
    static Interval of(PinReport now) {
        return new Interval(now, 0, Map.of(), CarrierTime.NONE, Map.of());
    }

    /**
     * Returns the interval between two reports.
     *
     * @param before null if there is none; ignored if it is of another JVM
     */
    static Interval between(@Nullable PinReport before, PinReport now) {
        if (before == null
                || before.uptimeNanos() >= now.uptimeNanos()
                || before.nanos() > now.nanos()) {
            return of(now);
        }
        return new Interval(
                now,
                now.uptimeNanos() - before.uptimeNanos(),
                byKind(before, now),
                now.carriers().since(before.carriers()),
                bySite(before, now));
    }

    private static Map<PinKind, Long> byKind(PinReport before, PinReport now) {
        Map<PinKind, Long> held = new EnumMap<>(PinKind.class);
        now.totals()
                .forEach(
                        total ->
                                held.merge(total.key().kind(), total.figures().nanos(), Long::sum));
        before.totals()
                .forEach(
                        total ->
                                held.merge(
                                        total.key().kind(), -total.figures().nanos(), Long::sum));
        held.values().removeIf(nanos -> nanos <= 0);
        return held;
    }

    private static Map<PinSite, Meanwhile> bySite(PinReport before, PinReport now) {
        Map<PinSite, Held> old = new HashMap<>();
        for (Held held : before.sites()) {
            old.put(held.site(), held);
        }
        Map<PinSite, Meanwhile> meanwhile = new HashMap<>();
        for (Held held : now.sites()) {
            Held was = old.get(held.site());
            long count = held.figures().count() - (was == null ? 0 : was.figures().count());
            long nanos = held.figures().nanos() - (was == null ? 0 : was.figures().nanos());
            long waitedNanos = held.waitedNanos() - (was == null ? 0 : was.waitedNanos());
            if (count > 0 || nanos > 0) {
                meanwhile.put(
                        held.site(),
                        new Meanwhile(
                                Math.max(count, 0), Math.max(nanos, 0), Math.max(waitedNanos, 0)));
            }
        }
        return meanwhile;
    }

    boolean isKnown() {
        return nanos > 0;
    }

    /** Returns the part of the scheduler's time that was lost to held carriers, from 0 to 1. */
    double lostShare() {
        return PinReport.lostShare(carriers.lostNanos(), now.scheduler().parallelism(), nanos);
    }

    /** Returns the average number of carriers that {@code site} held. */
    double carriersHeld(PinSite site) {
        Meanwhile meanwhile = sites.get(site);
        return meanwhile == null ? 0 : (double) meanwhile.nanos() / nanos;
    }

    /** Returns the average number of held carriers by kind, without those that round to 0. */
    Map<PinKind, Double> carriersHeld() {
        Map<PinKind, Double> carriers = new EnumMap<>(PinKind.class);
        heldNanos.forEach((kind, held) -> carriers.put(kind, (double) held / nanos));
        carriers.values().removeIf(average -> average < MIN_CARRIERS);
        return carriers;
    }
}
