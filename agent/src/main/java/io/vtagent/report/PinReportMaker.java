package io.vtagent.report;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.log.PlainText;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.report.PinReport.Delayed;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Jvm;
import io.vtagent.report.PinReport.Pin;
import io.vtagent.report.PinReport.Rare;
import io.vtagent.report.PinReport.Relieved;
import io.vtagent.report.PinReport.Scheduler;
import io.vtagent.report.PinReport.Starved;
import io.vtagent.report.PinReport.Total;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes reports of what was measured. */
public final class PinReportMaker {
    /** At most this many of the pins in progress are reported one by one. */
    static final int MAX_PINS = 100;

    private PinReportMaker() {}

    /**
     * Makes the report of what {@code ledger} holds now.
     *
     * @param active returns the pins in progress when it is called
     */
    public static PinReport of(
            Ledger ledger,
            Supplier<List<ActivePin>> active,
            Starved starved,
            Delayed delayed,
            Relieved relieved,
            Scheduler scheduler,
            Jvm jvm,
            long uptimeNanos) {
        if (active.get().isEmpty() && ledger.isEmpty()) {
            return ofNothing(starved, delayed, relieved, scheduler, jvm, uptimeNanos);
        }
        Map<Site, Figures> sites = new LinkedHashMap<>();
        // read before the totals, which are recorded first, so that the sites do not exceed them
        for (Site site : ledger.sites()) {
            DurationCounts durations = site.durations();
            sites.put(
                    site,
                    new Figures(
                            durations.count(),
                            site.nanos(),
                            site.longestNanos(),
                            ActivePinTotals.NONE,
                            site.samples(),
                            durations));
        }
        EndedPins ended = ledger.totals();
        // read after them, so that a pin that ends meanwhile is not counted twice
        List<ActivePin> pins = active.get();
        ActivePinTotals.by(ActivePin::site, pins)
                .forEach(
                        (site, inProgress) -> {
                            if (site != null) {
                                sites.merge(site, Figures.of(inProgress), Figures::and);
                            }
                        });
        List<Total> totals = totals(ended, ActivePinTotals.by(ActivePin::key, pins));
        List<Held> held = held(sites, ended, pins, ledger, jvm);
        Rare rare = Rare.NONE;
        for (Held site : held) {
            rare = site.figures().isRare() ? rare.and(site.figures()) : rare;
        }
        held.removeIf(site -> site.figures().isRare());
        List<Pin> shown = pins(pins);
        return new PinReport(
                jvm,
                uptimeNanos,
                totals,
                held,
                rare,
                ActivePinTotals.of(pins),
                PinReport.CarrierTime.NONE,
                Forecast.of(sites, totals, jvm),
                starved.with(shown, uptimeNanos),
                delayed,
                relieved,
                scheduler,
                shown);
    }

    /**
     * Makes the report of a JVM without pins, with as little code as possible: many JVMs end before
     * that code would be warm.
     */
    public static PinReport ofNothing(
            Starved starved,
            Delayed delayed,
            Relieved relieved,
            Scheduler scheduler,
            Jvm jvm,
            long uptimeNanos) {
        return new PinReport(
                jvm,
                uptimeNanos,
                List.of(),
                List.of(),
                Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                Forecast.of(Map.of(), List.of(), jvm),
                starved,
                delayed,
                relieved,
                scheduler,
                List.of());
    }

    private static List<Pin> pins(List<ActivePin> active) {
        return active.stream()
                .sorted(Comparator.comparingLong(ActivePin::ageNanos).reversed())
                .limit(MAX_PINS)
                .map(
                        pin ->
                                new Pin(
                                        PlainText.ofName(pin.thread().getName())
                                                + "#"
                                                + pin.thread().threadId(),
                                        PlainText.ofName(pin.carrier().getName()),
                                        pin.key(),
                                        pin.siteKey(),
                                        pin.ageNanos()))
                .toList();
    }

    private static List<Total> totals(EndedPins ended, Map<PinKey, ActivePinTotals> inProgress) {
        Map<PinKey, Figures> byKey = new HashMap<>();
        ended.byKey()
                .forEach(
                        (key, total) ->
                                byKey.put(
                                        key,
                                        Figures.of(
                                                total, ended.samples(key), DurationCounts.NONE)));
        inProgress.forEach((key, more) -> byKey.merge(key, Figures.of(more), Figures::and));
        return byKey.entrySet().stream()
                .map(entry -> new Total(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(total -> -total.figures().nanos()))
                .toList();
    }

    private static List<Held> held(
            Map<Site, Figures> sites,
            EndedPins ended,
            List<ActivePin> pins,
            Ledger ledger,
            Jvm jvm) {
        List<Held> held = new ArrayList<>();
        sites.forEach(
                (site, figures) -> {
                    if (figures.count() > 0) {
                        held.add(
                                new Held(
                                        site.key(),
                                        figures,
                                        site.waitedNanos(),
                                        site.stack(),
                                        Advice.on(site, jvm),
                                        Forecast.of(site, jvm)));
                    }
                });
        Map<PinKind, ActivePinTotals> unattributed =
                ActivePinTotals.by(
                        ActivePin::kind, pins.stream().filter(pin -> pin.site() == null).toList());
        for (PinKind kind : PinKind.values()) {
            DurationTotals total = ended.unattributed(kind);
            Figures rest =
                    Figures.of(total, ended.unattributedSamples(kind), total.counts())
                            .and(Figures.of(unattributed.getOrDefault(kind, ActivePinTotals.NONE)));
            if (rest.count() > 0) {
                held.add(
                        new Held(
                                PinSite.unattributed(kind),
                                rest,
                                ledger.waitedUnattributedNanos(kind),
                                null,
                                Advice.withoutStack(kind),
                                Forecast.OfSite.UNKNOWN));
            }
        }
        held.sort(Held.ORDER);
        return held;
    }
}
