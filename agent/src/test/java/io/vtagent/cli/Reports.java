package io.vtagent.cli;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.Forecast;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reports that are made up, of four carriers. */
final class Reports {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private Reports() {}

    /** Returns a report of pins that have all ended. */
    static PinReport of(long uptimeNanos, Held... sites) {
        return of(uptimeNanos, PinReport.Starved.NEVER, List.of(), sites);
    }

    static PinReport of(
            long uptimeNanos, PinReport.Starved starved, List<PinReport.Pin> pins, Held... sites) {
        return of(uptimeNanos, new PinReport.Scheduler(4, 4, 256, 1, 7, 12), starved, pins, sites);
    }

    static PinReport of(
            long uptimeNanos,
            PinReport.Scheduler scheduler,
            PinReport.Starved starved,
            List<PinReport.Pin> pins,
            Held... sites) {
        Map<PinKind, Figures> byKind = new EnumMap<>(PinKind.class);
        for (Held site : sites) {
            byKind.merge(
                    site.site().kind(),
                    site.figures(),
                    (a, b) ->
                            new Figures(
                                    a.count() + b.count(),
                                    a.nanos() + b.nanos(),
                                    0,
                                    ActivePinTotals.NONE));
        }
        List<PinReport.Total> totals = new ArrayList<>();
        byKind.forEach(
                (kind, figures) ->
                        totals.add(
                                new PinReport.Total(
                                        new PinKey(kind, PinReason.MONITOR, false), figures)));
        return new PinReport(
                new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of("park", "")),
                uptimeNanos,
                totals,
                List.of(sites),
                PinReport.Rare.NONE,
                new ActivePinTotals(pins.size(), 0, 0),
                new PinReport.CarrierTime(
                        0,
                        0,
                        0,
                        0,
                        List.of(sites).stream().mapToLong(site -> site.figures().nanos()).sum(),
                        List.of(sites).stream().mapToLong(Held::waitedNanos).sum(),
                        0,
                        0,
                        0),
                new Forecast(0, 0, 0, List.of()),
                starved,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                scheduler,
                pins);
    }

    /** Parked, at a site that is its own caller. */
    static Held site(String site, long count, long nanos) {
        return site(
                new PinSite(site, site, "java.lang.Thread.sleep", PinKind.PARK),
                count,
                nanos,
                nanos);
    }

    static Held site(PinSite site, long count, long nanos, long longestNanos) {
        return site(site, new Figures(count, nanos, longestNanos, ActivePinTotals.NONE));
    }

    static Held site(PinSite site, Figures figures) {
        return new Held(
                site,
                figures,
                0,
                stack(site.site()),
                "Do something else in " + site.site() + " instead.",
                Forecast.OfSite.GOES);
    }

    private static PinnedStack stack(String site) {
        List<String> frames =
                new ArrayList<>(List.of("java.base/java.lang.Thread.sleep(Thread.java:509)"));
        frames.add(site.substring(0, site.lastIndexOf(':')) + "(Any.java:1)");
        for (int i = 0; i < 40; i++) {
            frames.add("com.acme.Outer.call" + i + "(Outer.java:" + i + ")");
        }
        return new PinnedStack(
                frames,
                1,
                site,
                PinnedStack.Cause.MONITOR,
                "com.acme.Lock",
                "java.lang.Thread.sleep",
                null,
                null,
                Map.of());
    }

    static PinReport.Pin pin(String site, long ageNanos) {
        return new PinReport.Pin(
                "first#21",
                "worker-1",
                new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                new PinSite(site, site, "java.lang.Thread.sleep", PinKind.PARK),
                ageNanos);
    }

    /** Returns starvation that lasts. */
    static PinReport.Starved starved(boolean overload) {
        Diagnosis diagnosis =
                new Diagnosis(
                        "every carrier has been held for 5.0 s with work queued, and this is a"
                                + " sentence that is too long for one line of any terminal that is"
                                + " eighty characters wide",
                        overload,
                        "relief=stuck would help",
                        List.of(new Diagnosis.Link("\"late\" #9", "ReentrantLock@1", "Db@3")),
                        5 * SECOND,
                        4,
                        7,
                        List.of(),
                        List.of(),
                        List.of());
        return new PinReport.Starved(1, 5 * SECOND, diagnosis, true, List.of());
    }
}
