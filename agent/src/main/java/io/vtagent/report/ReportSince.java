package io.vtagent.report;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.report.PinReport.Delayed;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Past;
import io.vtagent.report.PinReport.Rare;
import io.vtagent.report.PinReport.Relieved;
import io.vtagent.report.PinReport.Starved;
import io.vtagent.report.PinReport.Total;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes what happened between two reports of the same agent: the pins that began, and the
 * carrier time that was held, including that of pins that had begun before. The pins in progress
 * and the scheduler are those of the later report. The longest pin of a site in that time is known
 * only if it is the longest ever; otherwise the figure is an upper bound.
 */
public final class ReportSince {
    private static final Figures NONE = new Figures(0, 0, 0, ActivePinTotals.NONE);

    private ReportSince() {}

    public static PinReport of(PinReport base, PinReport later) {
        Map<PinKey, Figures> totalsBefore = new HashMap<>();
        base.totals().forEach(total -> totalsBefore.put(total.key(), total.figures()));
        List<Total> totals = new ArrayList<>();
        for (Total total : later.totals()) {
            Figures since = since(totalsBefore.get(total.key()), total.figures());
            if (isAnything(since)) {
                totals.add(new Total(total.key(), since));
            }
        }
        totals.sort(Comparator.comparingLong(total -> -total.figures().nanos()));
        return new PinReport(
                later.jvm(),
                later.uptimeNanos() - base.uptimeNanos(),
                totals,
                sites(base, later),
                rare(base.rare(), later.rare()),
                later.inProgress(),
                later.carriers().since(base.carriers()),
                forecast(base.forecast(), later.forecast()),
                starved(base, later.starved()),
                delayed(base.delayed(), later.delayed()),
                relieved(base.relieved(), later.relieved()),
                later.scheduler(),
                later.pins(),
                BusyReport.since(base.busy(), later.busy()),
                null);
    }

    private static List<Held> sites(PinReport base, PinReport later) {
        Map<PinSite, Held> before = new HashMap<>();
        base.sites().forEach(site -> before.put(site.site(), site));
        List<Held> sites = new ArrayList<>();
        for (Held site : later.sites()) {
            Held was = before.get(site.site());
            Figures since = since(was == null ? null : was.figures(), site.figures());
            if (isAnything(since)) {
                sites.add(
                        new Held(
                                site.site(),
                                since,
                                Math.max(
                                        site.waitedNanos() - (was == null ? 0 : was.waitedNanos()),
                                        0),
                                site.stack(),
                                site.advice(),
                                site.onUpgrade()));
            }
        }
        sites.sort(Held.ORDER);
        return sites;
    }

    private static Rare rare(Rare base, Rare later) {
        long nanos = Math.max(later.nanos() - base.nanos(), 0);
        // a place that was rare at first and is a site now is neither new nor gone
        return nanos == 0
                ? Rare.NONE
                : new Rare(later.places(), Math.max(later.count() - base.count(), 0), nanos);
    }

    private static Samples since(Samples base, Samples later) {
        return new Samples(
                Math.max(later.pins() - base.pins(), 0),
                Math.max(later.count() - base.count(), 0),
                later.seenNanos());
    }

    private static boolean isAnything(Figures figures) {
        return figures.count() > 0 || figures.nanos() > 0 || figures.inProgress().count() > 0;
    }

    private static Figures since(@Nullable Figures base, Figures later) {
        Figures before = base == null ? NONE : base;
        // a pin that was in progress may end under another key, such as compensated
        long count = Math.max(later.count() - before.count(), 0);
        long nanos = Math.max(later.nanos() - before.nanos(), 0);
        return new Figures(
                count,
                nanos,
                longest(before.longestNanos(), later.longestNanos(), nanos),
                later.inProgress(),
                since(before.samples(), later.samples()),
                later.durations().since(before.durations()));
    }

    private static long longest(long before, long later, long nanosSince) {
        return later > before ? later : Math.min(later, nanosSince);
    }

    private static Forecast forecast(Forecast base, Forecast later) {
        Map<List<String>, Long> before = new HashMap<>();
        base.remaining()
                .forEach(
                        site ->
                                before.merge(
                                        List.of(site.site(), site.kind()),
                                        site.nanos(),
                                        Long::sum));
        List<Forecast.Remaining> remaining = new ArrayList<>();
        for (Forecast.Remaining site : later.remaining()) {
            List<String> key = List.of(site.site(), site.kind());
            long then = Math.min(before.getOrDefault(key, 0L), site.nanos());
            before.merge(key, -then, Long::sum); // several callers of a site are listed separately
            if (site.nanos() > then) {
                remaining.add(
                        new Forecast.Remaining(
                                site.site(), site.kind(), site.nanos() - then, site.holder()));
            }
        }
        remaining.sort(Comparator.comparingLong(Forecast.Remaining::nanos).reversed());
        return new Forecast(
                Math.max(later.goesNanos() - base.goesNanos(), 0),
                Math.max(later.staysNanos() - base.staysNanos(), 0),
                Math.max(later.unknownNanos() - base.unknownNanos(), 0),
                remaining);
    }

    private static Starved starved(PinReport base, Starved later) {
        Starved before = base.starved();
        List<Past> past =
                later.past().stream()
                        .filter(
                                period ->
                                        period.beganNanos() + period.lastedNanos()
                                                > base.uptimeNanos())
                        .toList();
        return new Starved(
                later.periods() - before.periods(),
                Math.max(later.nanos() - before.nanos(), 0),
                later.now() || !past.isEmpty() ? later.diagnosis() : null,
                later.now(),
                past,
                later.deadlock());
    }

    private static Delayed delayed(Delayed base, Delayed later) {
        long nanos = later.nanos() - base.nanos();
        return new Delayed(
                later.on(),
                later.count() - base.count(),
                nanos,
                longest(base.longestNanos(), later.longestNanos(), nanos),
                later.currentNanos());
    }

    private static Relieved relieved(Relieved base, Relieved later) {
        return new Relieved(
                later.on(),
                later.carriers() - base.carriers(),
                later.pins() - base.pins(),
                later.nanos() - base.nanos());
    }
}
