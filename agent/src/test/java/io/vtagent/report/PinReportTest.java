package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PinReportTest {
    private static final long THRESHOLD_NANOS = 100;

    private final Ledger ledger =
            new Ledger(true, THRESHOLD_NANOS, new FramesOfInterest(64), 2, Buckets.SINGLE);

    @Test
    void theLongestComeFirstAndTheSitesAddUpToTheTotals() {
        add(PinKind.PARK, PinReason.MONITOR, 200, "shop.A.a:1");
        add(PinKind.IO, PinReason.NONE, 900, "shop.B.b:2");
        add(PinKind.PARK, PinReason.MONITOR, 300, "shop.C.c:3"); // beyond the most sites
        add(PinKind.WAIT, PinReason.MONITOR, THRESHOLD_NANOS - 1, "not asked for");

        PinReport report = report(List.of());

        assertThat(report.totals())
                .extracting(total -> total.figures().nanos())
                .containsExactly(900L, 500L, 99L);
        assertThat(report.sites())
                .extracting(held -> held.site().site())
                .containsExactly("shop.B.b:2", "(other)", "shop.A.a:1", "(unattributed)");
        assertThat(report.sites())
                .extracting(held -> held.figures().nanos())
                .containsExactly(900L, 300L, 200L, 99L);
        assertThat(report.sites())
                .extracting(held -> held.figures().longestNanos())
                .containsExactly(900L, 300L, 200L, 99L);
        assertThat(report.nanos()).isEqualTo(1_499);
        assertThat(report.count()).isEqualTo(4);
    }

    /** In ten seconds, a millisecond. */
    @Test
    void whatNobodyWouldActOnIsOneLine() {
        add(PinKind.PARK, PinReason.MONITOR, 1_000_000, "shop.A.a:1");
        add(PinKind.NATIVE, PinReason.NONE, 999_999, "sun.nio.ch.Net.poll:?");
        add(PinKind.NATIVE, PinReason.NONE, 1, "not asked for");

        PinReport report = report(List.of());

        assertThat(report.sitesOfNote())
                .extracting(held -> held.site().site())
                .containsExactly("shop.A.a:1");
        assertThat(report.restInWords())
                .isEqualTo(
                        "2 more sites held carriers for less than a ten-thousandth of the time"
                                + " each: 2 pins, 1.0 ms");
        assertThat(TextReport.render(report))
                .contains(
                        "\n  " + report.restInWords() + "\n  1. shop.A.a:1",
                        "\n[vt-agent] 1. shop.A.a:1")
                .doesNotContain("2. ", "Net.poll");
        assertThat(JsonReport.render(report, JsonReport.Detail.ALL))
                .contains("sun.nio.ch.Net.poll:?");

        Site moment =
                ledger.sites().stream()
                        .filter(site -> site.key().kind() == PinKind.NATIVE)
                        .findFirst()
                        .orElseThrow();
        Thread any = Thread.currentThread();
        ActivePin stuck =
                ActivePins.of(PinKind.NATIVE, PinReason.NONE, 5, any, any, false, moment, null);
        assertThat(report(List.of(stuck)).sitesOfNote()).as("in progress").hasSize(2);
    }

    /** One sample of a moment is no site: it may be an accident of the sampling. */
    @Test
    void aPlaceThatWasSampledTooSeldomIsNoSite() {
        sample(PinKind.NATIVE, 16_000_000, new Samples(1, 2, 9_000_000), "shop.A.a:1");
        sample(PinKind.NATIVE, 50_000_000, new Samples(1, 1, 0), null);

        PinReport report = report(List.of());

        assertThat(report.sites()).isEmpty();
        assertThat(report.rare()).isEqualTo(new PinReport.Rare(2, 2, 66_000_000));
        assertThat(report.nanos()).as("the totals have it").isEqualTo(66_000_000);
        assertThat(TextReport.render(report))
                .startsWith(
                        "[vt-agent] no virtual thread held its carrier (too few samples for a"
                                + " site: 2 places, at most 66.0 ms) (JDK ");
    }

    @Test
    void rarePlacesThatHeldCarriersForMuchOfTheTimeAreNotNothing() {
        for (int i = 0; i < 2; i++) {
            sample(PinKind.NATIVE, 100_000_000, new Samples(1, 1, 0), "shop.A.a:" + i);
        }

        PinReport report = report(List.of());

        assertThat(report.sites()).isEmpty();
        assertThat(TextReport.render(report))
                .startsWith("[vt-agent] carriers were held for 200.0 ms by 2 pins in 10.00 s");
    }

    @Test
    void aPlaceThatWasSampledOftenOrForLongIsASite() {
        sample(PinKind.NATIVE, 16_000_000, new Samples(1, 1, 0), "shop.A.a:1");
        sample(PinKind.NATIVE, 16_000_000, new Samples(1, 2, 2_000_000), "shop.A.a:1");
        sample(PinKind.NATIVE, 60_000_000, new Samples(1, 2, 10_000_000), "shop.B.b:1");

        PinReport report = report(List.of());

        assertThat(report.rare()).isEqualTo(PinReport.Rare.NONE);
        assertThat(report.sites())
                .extracting(held -> held.site().site(), held -> held.figures().longestNanos())
                .containsExactly(tuple("shop.B.b:1", 10_000_000L), tuple("shop.A.a:1", 2_000_000L));
        assertThat(TextReport.render(report)).contains("  2. shop.A.a:1  native: 2 pins, ~32.0 ms");
    }

    @Test
    void aPlaceOfWhichAnEventHasReportedIsASite() {
        sample(PinKind.CLASS_INIT, 3_000_000, new Samples(1, 1, 0), "shop.A.a:1");
        add(PinKind.CLASS_INIT, PinReason.CLASS_INIT, 5_000_000, "shop.A.a:1");

        assertThat(report(List.of()).sites())
                .extracting(held -> held.figures().nanos(), held -> held.figures().longestNanos())
                .containsExactly(tuple(8_000_000L, 5_000_000L));
    }

    /** A wait that the JVM itself causes is nothing that a line of code could change. */
    @Test
    void theJvmItselfHasNoRank() {
        add(PinKind.JVM, PinReason.NONE, 900_000_000, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, 50_000_000, "shop.B.b:1");

        PinReport report = report(List.of());

        assertThat(report.sites())
                .extracting(held -> held.site().site())
                .containsExactly("shop.B.b:1", "shop.A.a:1");
        assertThat(TextReport.render(report))
                .contains(
                        "  1. shop.B.b:1",
                        "  the JVM itself made carriers wait, for example for memory or a class:"
                                + " 1 pin, 900.0 ms\n")
                .doesNotContain("shop.A.a:1");
    }

    private void sample(PinKind kind, long nanos, Samples seen, @Nullable String where) {
        ledger.addSampled(
                kind,
                PinReason.NONE,
                nanos,
                seen,
                PinnedThread.of(Thread.currentThread(), 0),
                () -> where == null ? null : stack(where));
    }

    @Test
    void sitesThatStandForManyNameTheOptionThatSeparatesThem() {
        add(PinKind.PARK, PinReason.MONITOR, 900, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, 800, "shop.B.b:1");
        add(PinKind.PARK, PinReason.MONITOR, 700, "shop.C.c:1");
        add(PinKind.PARK, PinReason.MONITOR, 1, "not asked for");

        List<PinReport.Held> sites = report(List.of()).sites();

        assertThat(sites.get(2).advice()).contains("max-sites");
        assertThat(sites.get(3).advice()).contains("stack-threshold");
    }

    @Test
    void whatIsInProgressCountsUpToNowInTheTotalsAndSites() {
        add(PinKind.PARK, PinReason.MONITOR, 200, "shop.A.a:1");
        Site known = ledger.sites().getFirst();

        PinReport report =
                report(
                        List.of(
                                inProgress(500, known),
                                inProgress(700, known),
                                inProgress(300, null)));

        assertThat(report.count()).isEqualTo(4);
        assertThat(report.nanos()).isEqualTo(1_700);
        assertThat(report.inProgress()).isEqualTo(new ActivePinTotals(3, 1_500, 700));
        assertThat(report.totals())
                .extracting(PinReport.Total::figures)
                .containsExactly(
                        new PinReport.Figures(4, 1_700, 700, new ActivePinTotals(3, 1_500, 700)));
        assertThat(report.sites())
                .extracting(PinReport.Held::figures)
                .containsExactly(
                        new PinReport.Figures(
                                3,
                                1_400,
                                700,
                                new ActivePinTotals(2, 1_200, 700),
                                Samples.NONE,
                                DurationCounts.of(1)),
                        new PinReport.Figures(1, 300, 300, new ActivePinTotals(1, 300, 300)));
        assertThat(report.forecast().goesNanos()).isEqualTo(1_400);
        assertThat(report.forecast().unknownNanos()).isEqualTo(300);
    }

    @Test
    void theDurationsAreThoseOfThePinsOfASiteThatHaveEndedEvenWithoutAStack() {
        add(PinKind.PARK, PinReason.MONITOR, 3_000_000, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, 600, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, 1_000_000, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, THRESHOLD_NANOS - 1, "not asked for");
        sample(PinKind.PARK, 12_000_000_000L, new Samples(1, 9, 0), null);

        PinReport report = report(List.of(inProgress(500, ledger.sites().getFirst())));

        assertThat(report.sites())
                .extracting(site -> site.site().site(), site -> site.figures().durations())
                .containsExactly(
                        tuple(
                                "(unattributed)",
                                DurationCounts.of(
                                        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
                        tuple("shop.A.a:1", DurationCounts.of(1, 0, 0, 0, 1, 1)));
        assertThat(report.sites().getLast().figures().count()).isEqualTo(4);
        assertThat(report.totals())
                .extracting(total -> total.figures().durations())
                .containsOnly(DurationCounts.NONE);
    }

    /** A deadlock from the first pin on. */
    @Test
    void aSiteIsInTheReportBeforeItsFirstPinHasEnded() {
        Site site = ledger.siteOf(PinKind.PARK, PinReason.MONITOR, stack("shop.A.a:1"));

        assertThat(report(List.of()).sites()).as("without a pin").isEmpty();
        assertThat(report(List.of(inProgress(500, site))).sites())
                .extracting(held -> held.site().site())
                .containsExactly("shop.A.a:1");
        assertThat(report(List.of()).inProgress()).isEqualTo(ActivePinTotals.NONE);
    }

    private static ActivePin inProgress(long ageNanos, @Nullable Site site) {
        Thread any = Thread.currentThread();
        return ActivePins.of(
                PinKind.PARK, PinReason.MONITOR, ageNanos, any, any, false, site, null);
    }

    private PinReport report(List<ActivePin> active) {
        return PinReportMaker.of(
                ledger,
                () -> active,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                FullReport.JVM,
                10_000_000_000L);
    }

    private void add(PinKind kind, PinReason reason, long nanos, String holder) {
        ledger.add(kind, reason, nanos, () -> stack(holder));
    }

    private static PinnedStack stack(String holder) {
        return new PinnedStack(
                List.of(),
                -1,
                holder,
                PinnedStack.Cause.MONITOR,
                null,
                "java.lang.Thread.sleep",
                null,
                null,
                Map.of());
    }
}
