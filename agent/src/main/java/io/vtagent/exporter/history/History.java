package io.vtagent.exporter.history;

import io.vtagent.exporter.history.Columns.Column;
import io.vtagent.exporter.history.SiteSlices.Amounts;
import io.vtagent.json.JsonText;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Figures;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last hour: its seconds, and in slices of {@value #SLICE_SECONDS} seconds the held or computed
 * time of each site, and how long its pins lasted. Takes 0.25 MB. With 200 sites that pin all the
 * time it takes 1.8 MB more, and 0.6 MB for each bucket of durations that the pins of one site
 * fill; at most 3.5 MB of both. With 200 that compute all the time it takes 1.2 MB more. Seconds
 * are counted from the agent's start, because the clock may be set. Thread-safe by one lock.
 */
public final class History {
    static final int SECONDS = 3_600;
    static final int SLICE_SECONDS = 10;

    private static final int MILLIS = 1_000;

    /** A clock that differs by more was set, or the machine has slept. */
    private static final long CLOCK_STEP_MILLIS = 10_000;

    private final String run;
    private final LongSupplier currentMillis;
    private final Columns columns = new Columns(SECONDS);
    private final SiteSlices<PinSite> slices = new SiteSlices<>(SECONDS / SLICE_SECONDS, true);
    private final SiteSlices<Computing> computing =
            new SiteSlices<>(SECONDS / SLICE_SECONDS, false);

    /** Code that computes on carriers. */
    private record Computing(String caller, String site) {}

    /** The most that was recorded of each kind, in nanoseconds. */
    private final Map<PinKind, Long> recorded = new EnumMap<>(PinKind.class);

    private @Nullable PinReport newest;
    private long idleUntilNanos;
    private Map<PinSite, Amounts> atSlice = Map.of();
    private Map<Computing, Amounts> computedAtSlice = Map.of();
    private long sliceFrom;
    private int awaiting;

    /** When second 0 began. It is the same for every reader, unless the clock is set. */
    private long beganMillis;

    /**
     * @param run distinguishes this agent from another that later listens at the same address
     */
    public History(String run) {
        this(run, System::currentTimeMillis);
    }

    History(String run, LongSupplier currentMillis) {
        this.run = run;
        this.currentMillis = currentMillis;
        beganMillis = currentMillis.getAsLong(); // until the first second is recorded
    }

    /** Returns what distinguishes this agent from others. */
    public String run() {
        return run;
    }

    /**
     * Records that nothing has happened until then. It replaces {@link #add}, which would record
     * the same figures once more.
     */
    public synchronized void idleUntil(long uptimeNanos) {
        idleUntilNanos = uptimeNanos;
    }

    /**
     * Records what was measured until now. Called once a second; a second that was missed gets the
     * values of the next one.
     */
    public synchronized void add(PinReport report) {
        PinReport idle = newest;
        if (idle != null
                && idle.uptimeNanos() < idleUntilNanos
                && idleUntilNanos < report.uptimeNanos()) {
            take(idle.later(idleUntilNanos)); // so that what is new falls to the seconds after
            // that
        }
        take(report);
    }

    private void take(PinReport report) {
        PinReport before = newest;
        long second = TimeUnit.NANOSECONDS.toSeconds(report.uptimeNanos());
        if (before == null) {
            columns.beginAt(second);
            recorded.putAll(byKind(report));
            sliceFrom = second - second % SLICE_SECONDS;
        } else if (second > columns.next()) {
            long[] row = row(before, report);
            while (columns.next() < second) {
                columns.add(row);
            }
        } else {
            return; // the next second records it, or another reader has recorded this one
        }
        followClock(before == null, report.uptimeNanos());
        newest = report;
        if (second >= sliceFrom + SLICE_SECONDS) {
            Map<PinSite, Amounts> now = held(report);
            slices.add(sliceFrom, difference(now, atSlice));
            atSlice = now;
            Map<Computing, Amounts> computed = computed(report);
            computing.add(sliceFrom, difference(computed, computedAtSlice));
            computedAtSlice = computed;
            sliceFrom = second - second % SLICE_SECONDS;
        }
        notifyAll();
    }

    private void followClock(boolean isFirst, long uptimeNanos) {
        long began = currentMillis.getAsLong() - TimeUnit.NANOSECONDS.toMillis(uptimeNanos);
        if (isFirst || Math.abs(began - beganMillis) > CLOCK_STEP_MILLIS) {
            beganMillis = began;
        }
    }

    /**
     * Waits until there is a second after {@code second}, for at most {@code mostMillis}; the
     * newest second that is kept.
     */
    public synchronized long await(long second, long mostMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        awaiting++;
        try {
            while (columns.next() - 1 <= second) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (leftMillis <= 0) {
                    break;
                }
                wait(leftMillis);
            }
        } finally {
            awaiting--;
        }
        return columns.next() - 1;
    }

    /** Returns whether a client {@link #await waits} for the next second. */
    public synchronized boolean isAwaited() {
        return awaiting > 0;
    }

    /** Returns what was recorded last; null if nothing was. */
    public synchronized @Nullable PinReport newest() {
        return newest;
    }

    private long[] row(PinReport before, PinReport now) {
        long[] row = new long[Column.values().length];
        double nanos = Math.max(now.uptimeNanos() - before.uptimeNanos(), 1);
        if (now.totals() != before.totals()) { // or nothing was held in between
            byKind(now)
                    .forEach(
                            (kind, held) -> {
                                // a pin in progress may not be counted for a moment when it ends,
                                // as until JFR reports it
                                long more = Math.max(held - recorded.getOrDefault(kind, 0L), 0);
                                recorded.merge(kind, held, Math::max);
                                row[Column.held(kind).ordinal()] =
                                        Math.round(more * MILLIS / nanos);
                            });
        }
        row[Column.CARRIERS.ordinal()] = now.scheduler().size();
        row[Column.QUEUED.ordinal()] = now.scheduler().queued();
        row[Column.DELAY.ordinal()] =
                TimeUnit.NANOSECONDS.toMicros(delay(before.delayed(), now.delayed()));
        long starved = now.starved().nanos() - before.starved().nanos();
        row[Column.STARVED.ordinal()] = Math.round(Math.clamp(starved / nanos, 0, 1) * MILLIS);
        row[Column.ADDED.ordinal()] = now.relieved().carriers() - before.relieved().carriers();
        PinReport.CarrierTime time = now.carriers().since(before.carriers());
        row[Column.LOST.ordinal()] = Math.round(time.lostNanos() * MILLIS / nanos);
        row[Column.TIME_HELD.ordinal()] = Math.round(time.heldNanos() * MILLIS / nanos);
        row[Column.TIME_RUNNING.ordinal()] = Math.round(time.runningNanos() * MILLIS / nanos);
        row[Column.TIME_RUNNABLE.ordinal()] = Math.round(time.runnableNanos() * MILLIS / nanos);
        row[Column.TIME_IDLE.ordinal()] = Math.round(time.idleNanos() * MILLIS / nanos);
        return row;
    }

    private static long delay(PinReport.Delayed before, PinReport.Delayed now) {
        long count = now.count() - before.count();
        long mean = count <= 0 ? 0 : (now.nanos() - before.nanos()) / count;
        return Math.max(mean, now.currentNanos());
    }

    private static Map<PinKind, Long> byKind(PinReport report) {
        Map<PinKind, Long> byKind = new EnumMap<>(PinKind.class);
        report.totals()
                .forEach(
                        total ->
                                byKind.merge(
                                        total.key().kind(), total.figures().nanos(), Long::sum));
        return byKind;
    }

    private static Map<PinSite, Amounts> held(PinReport report) {
        Map<PinSite, Amounts> held = new HashMap<>();
        for (PinReport.Held site : report.sites()) {
            Figures figures = site.figures();
            held.put(
                    site.site(),
                    new Amounts(
                            figures.count(),
                            figures.nanos(),
                            site.waitedNanos(),
                            figures.durations()));
        }
        return held;
    }

    private static Map<Computing, Amounts> computed(PinReport report) {
        Map<Computing, Amounts> computed = new HashMap<>();
        for (PinReport.BusyPlace site : report.busy().sites()) {
            computed.put(
                    new Computing(site.caller(), site.site()),
                    new Amounts(site.count(), site.nanos(), 0, DurationCounts.NONE));
        }
        return computed;
    }

    /**
     * Returns the increase from {@code before} to {@code now}; a pin in progress that turned out
     * not to be one leaves a site with less.
     */
    private static <S> Map<S, Amounts> difference(Map<S, Amounts> now, Map<S, Amounts> before) {
        Map<S, Amounts> more = new HashMap<>();
        now.forEach(
                (site, held) -> {
                    Amounts since = held.since(before.getOrDefault(site, Amounts.NOTHING));
                    if (!since.equals(Amounts.NOTHING)) {
                        more.put(site, since);
                    }
                });
        return more;
    }

    /**
     * The carrier time that each site held in a period, in microseconds. The period is rounded out
     * to whole slices.
     *
     * @param from its first second
     * @param to the second after it
     */
    public synchronized Map<PinSite, Long> heldMicros(long from, long to) {
        long firstSlice = from - from % SLICE_SECONDS;
        Map<PinSite, Long> sum = slices.heldNanos(firstSlice, to);
        PinReport report = newest;
        if (report != null && firstSlice <= sliceFrom && sliceFrom < to) {
            difference(held(report), atSlice)
                    .forEach((site, held) -> sum.merge(site, held.nanos(), Long::sum));
        }
        sum.replaceAll((site, nanos) -> TimeUnit.NANOSECONDS.toMicros(nanos));
        return sum;
    }

    /** Writes what is kept since second {@code from}; {@code docs/http-api.md} has the format. */
    public synchronized void write(JsonText json, long from) {
        PinReport report = newest;
        Map<PinSite, Amounts> sinceSlice =
                report == null ? Map.of() : difference(held(report), atSlice);
        // first, since they may know of new sites
        long[] unfinished = slices.row(sliceFrom, sinceSlice);
        long[] unfinishedComputing =
                report == null
                        ? new long[] {sliceFrom}
                        : computing.row(sliceFrom, difference(computed(report), computedAtSlice));
        json.field("run", run);
        writeSeconds(json, from);
        json.field("sliceSeconds", SLICE_SECONDS);
        json.objects(
                "sites",
                slices.sites(),
                site -> {
                    json.field("caller", site.caller());
                    json.field("site", site.site());
                    json.field("operation", site.operation());
                    json.field("kind", site.kind().label());
                });
        json.rows("slices", slices.rows(from - from % SLICE_SECONDS));
        json.numbers("unfinishedSlice", unfinished);
        json.rows("durationSlices", slices.durationRows(from - from % SLICE_SECONDS));
        json.numbers("unfinishedDurationSlice", slices.durationRow(sliceFrom, sinceSlice));
        json.objects(
                "busySites",
                computing.sites(),
                site -> {
                    json.field("caller", site.caller());
                    json.field("site", site.site());
                });
        json.rows("busySlices", computing.rows(from - from % SLICE_SECONDS));
        json.numbers("unfinishedBusySlice", unfinishedComputing);
    }

    /** As {@link #write}, without the sites. */
    public synchronized void writeSeconds(JsonText json, long from) {
        long first = Math.clamp(from, columns.first(), columns.next());
        json.field("beganMillis", beganMillis);
        json.field("first", first);
        json.object(
                "seconds",
                in -> {
                    for (Column column : Column.values()) {
                        in.numbers(
                                column.name().toLowerCase(Locale.ROOT),
                                columns.from(column, first));
                    }
                });
    }
}
