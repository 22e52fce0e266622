package io.vtagent.exporter.history;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.report.Forecast;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A report in the making, of what was measured until some moment. */
final class ReportBuilder {
    private static final PinReport.Jvm JVM =
            new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of());

    private final long uptimeMillis;
    private final List<PinReport.Total> totals = new ArrayList<>();
    private final List<PinReport.Held> sites = new ArrayList<>();
    private PinReport.Scheduler scheduler = PinReport.Scheduler.UNKNOWN;
    private PinReport.CarrierTime carriers = PinReport.CarrierTime.NONE;
    private PinReport.Delayed delayed = PinReport.Delayed.OFF;
    private PinReport.Starved starved = PinReport.Starved.NEVER;
    private PinReport.Relieved relieved = PinReport.Relieved.OFF;
    private final List<PinReport.BusyPlace> busy = new ArrayList<>();

    ReportBuilder(long uptimeMillis) {
        this.uptimeMillis = uptimeMillis;
    }

    ReportBuilder held(PinSite site, long count, long millis) {
        return held(site, count, millis, 0);
    }

    ReportBuilder held(PinSite site, long count, long millis, long waitedMillis) {
        return held(
                site,
                new PinReport.Figures(count, nanos(millis), nanos(millis), ActivePinTotals.NONE),
                waitedMillis);
    }

    /** Adds a site with the number of its pins that have ended, by bucket of their duration. */
    ReportBuilder ended(PinSite site, long millis, long... durations) {
        DurationCounts counts = DurationCounts.of(durations);
        return held(
                site,
                new PinReport.Figures(
                        counts.count(),
                        nanos(millis),
                        nanos(millis),
                        ActivePinTotals.NONE,
                        Samples.NONE,
                        counts),
                0);
    }

    ReportBuilder inProgress(PinSite site, long count, long millis) {
        ActivePinTotals pins = new ActivePinTotals(count, nanos(millis), nanos(millis));
        return held(site, new PinReport.Figures(count, nanos(millis), nanos(millis), pins), 0);
    }

    private ReportBuilder held(PinSite site, PinReport.Figures figures, long waitedMillis) {
        totals.add(new PinReport.Total(new PinKey(site.kind(), PinReason.NONE, false), figures));
        sites.add(
                new PinReport.Held(
                        site, figures, nanos(waitedMillis), null, "", Forecast.OfSite.UNKNOWN));
        return this;
    }

    ReportBuilder scheduler(long size, long queued) {
        scheduler = new PinReport.Scheduler(2, size, 256, 0, queued, queued);
        return this;
    }

    ReportBuilder carriers(long held, long running, long runnable, long idle, long lost) {
        carriers =
                new PinReport.CarrierTime(
                        nanos(held),
                        nanos(running),
                        nanos(runnable),
                        nanos(idle),
                        nanos(lost),
                        0,
                        0,
                        0,
                        0);
        return this;
    }

    ReportBuilder delayed(long count, long micros, long currentMicros) {
        delayed = new PinReport.Delayed(true, count, micros * 1_000, 0, currentMicros * 1_000);
        return this;
    }

    ReportBuilder starved(long millis) {
        starved = new PinReport.Starved(1, nanos(millis), null, false, List.of());
        return this;
    }

    ReportBuilder relieved(long carriers) {
        relieved = new PinReport.Relieved(true, carriers, 0, 0);
        return this;
    }

    ReportBuilder computed(String caller, String site, long spells, long millis) {
        busy.add(
                new PinReport.BusyPlace(
                        site, caller, spells, nanos(millis), nanos(millis), List.of()));
        return this;
    }

    PinReport report() {
        return new PinReport(
                        JVM,
                        nanos(uptimeMillis),
                        totals,
                        sites,
                        PinReport.Rare.NONE,
                        ActivePinTotals.NONE,
                        carriers,
                        new Forecast(0, 0, 0, List.of()),
                        starved,
                        delayed,
                        relieved,
                        scheduler,
                        List.of())
                .with(new PinReport.Busy(true, 0, busy));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
