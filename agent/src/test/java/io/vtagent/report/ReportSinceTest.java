package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

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

class ReportSinceTest {
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(8), 8, Buckets.SINGLE);
    private long uptimeNanos;

    @Test
    void whatWasBeforeIsLeftOutOfTotalsSitesAndForecast() {
        add(PinKind.PARK, "A.a:1", 500);
        add(PinKind.WAIT, "B.b:2", 70);
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 30);
        add(PinKind.PARK, "C.c:3", 4);
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.count()).isEqualTo(2);
        assertThat(since.nanos()).isEqualTo(34);
        assertThat(since.sites())
                .extracting(site -> site.site().site())
                .containsExactly("A.a:1", "C.c:3");
        assertThat(since.sites())
                .extracting(site -> site.figures().nanos())
                .containsExactly(30L, 4L);
        assertThat(since.totals())
                .extracting(total -> total.figures().nanos())
                .containsExactly(34L);
        assertThat(since.sites().getFirst().stack()).isNotNull();
        assertThat(since.forecast().goesNanos()).isEqualTo(34);
        assertThat(since.uptimeNanos()).isEqualTo(1);
    }

    @Test
    void theLongestSinceIsExactWhereItIsTheLongestEverAndOtherwiseNoLessThanIt() {
        add(PinKind.PARK, "A.a:1", 20);
        add(PinKind.PARK, "B.b:2", 20);
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 50);
        add(PinKind.PARK, "B.b:2", 9);
        add(PinKind.PARK, "B.b:2", 5);
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.sites())
                .extracting(site -> site.figures().longestNanos())
                .containsExactly(50L, 14L);
    }

    @Test
    void theDurationsAreThoseOfThePinsThatEndedSince() {
        add(PinKind.PARK, "A.a:1", 3_000_000);
        add(PinKind.PARK, "A.a:1", 150_000);
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 4_000_000);
        add(PinKind.PARK, "A.a:1", 5);
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.sites())
                .extracting(site -> site.figures().durations())
                .containsExactly(DurationCounts.of(1, 0, 0, 0, 0, 1));
    }

    @Test
    void aPinThatHadBegunBeforeCountsWithItsTimeSince() {
        PinReport base = report(List.of(active(1_000)));
        PinReport since = ReportSince.of(base, report(List.of(active(1_300))));

        assertThat(since.count()).isZero();
        assertThat(since.nanos()).isEqualTo(300);
        assertThat(since.inProgress().count()).isEqualTo(1);
        assertThat(since.pins()).hasSize(1);
    }

    @Test
    void sitesOfTheJvmItselfComeLast() {
        PinReport base = report(List.of());
        add(PinKind.JVM, "A.a:1", 500);
        add(PinKind.PARK, "B.b:2", 30);
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.sites())
                .extracting(site -> site.site().site())
                .containsExactly("B.b:2", "A.a:1");
    }

    @Test
    void nothingSinceIsNothing() {
        add(PinKind.PARK, "A.a:1", 500);
        PinReport since = ReportSince.of(report(List.of()), report(List.of()));

        assertThat(since.totals()).isEmpty();
        assertThat(since.sites()).isEmpty();
        assertThat(TextReport.render(since)).contains("no virtual thread held its carrier");
    }

    /** As in any report, whatever the order was in the later one. */
    @Test
    void whatHeldTheLongestSinceComesFirst() {
        add(PinKind.PARK, "A.a:1", 500);
        add(PinKind.WAIT, "B.b:2", 400);
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 3);
        add(PinKind.WAIT, "B.b:2", 70);
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.totals())
                .extracting(total -> total.key().kind())
                .containsExactly(PinKind.WAIT, PinKind.PARK);
        assertThat(since.sites())
                .extracting(site -> site.site().site())
                .containsExactly("B.b:2", "A.a:1");
    }

    @Test
    void ofTheForecastTooOnlyWhatCameSinceIsReported() {
        PinReport base =
                report(
                        new Forecast(
                                1_000,
                                200,
                                30,
                                List.of(remaining("A.a:1", 150), remaining("B.b:2", 50))));
        PinReport later =
                report(
                        new Forecast(
                                1_007,
                                206,
                                35,
                                List.of(
                                        remaining("A.a:1", 150),
                                        remaining("B.b:2", 54),
                                        remaining("C.c:3", 2))));
        Forecast since = ReportSince.of(base, later).forecast();

        assertThat(since.goesNanos()).isEqualTo(7);
        assertThat(since.staysNanos()).isEqualTo(6);
        assertThat(since.unknownNanos()).isEqualTo(5);
        assertThat(since.remaining()).containsExactly(remaining("B.b:2", 4), remaining("C.c:3", 2));
    }

    @Test
    void whatWouldRemainTheLongestSinceComesFirst() {
        PinReport base =
                report(
                        new Forecast(
                                0, 30, 0, List.of(remaining("A.a:1", 20), remaining("B.b:2", 10))));
        PinReport later =
                report(
                        new Forecast(
                                0, 38, 0, List.of(remaining("A.a:1", 21), remaining("B.b:2", 17))));

        assertThat(ReportSince.of(base, later).forecast().remaining())
                .containsExactly(remaining("B.b:2", 7), remaining("A.a:1", 1));
    }

    /** The callers of a site are reported one by one, without their names. */
    @Test
    void whatTwoCallersOfASiteLeaveIsTakenOffOnce() {
        PinReport base =
                report(
                        new Forecast(
                                0, 30, 0, List.of(remaining("A.a:1", 20), remaining("A.a:1", 10))));
        PinReport later =
                report(
                        new Forecast(
                                0, 36, 0, List.of(remaining("A.a:1", 26), remaining("A.a:1", 10))));

        assertThat(ReportSince.of(base, later).forecast().remaining())
                .containsExactly(remaining("A.a:1", 6));
    }

    @Test
    void ofStarvationThePeriodsCountThatWereNotOverBefore() {
        PinReport.Past over = new PinReport.Past(10, 5, FullReport.DIAGNOSIS);
        PinReport.Past across = new PinReport.Past(90, 20, FullReport.DIAGNOSIS);
        PinReport base =
                report(
                        new PinReport.Starved(2, 15, FullReport.DIAGNOSIS, true, List.of(over)),
                        100);
        PinReport later =
                report(
                        new PinReport.Starved(
                                5, 47, FullReport.DIAGNOSIS, false, List.of(across, over)),
                        200);
        PinReport.Starved since = ReportSince.of(base, later).starved();

        assertThat(since.periods()).isEqualTo(3);
        assertThat(since.nanos()).isEqualTo(32);
        assertThat(since.past()).containsExactly(across);
        assertThat(since.diagnosis()).isEqualTo(FullReport.DIAGNOSIS);
    }

    @Test
    void aPeriodThatEndedWithTheReportBeforeIsNotOfThisOne() {
        PinReport.Past over = new PinReport.Past(90, 10, FullReport.DIAGNOSIS);
        PinReport base = report(PinReport.Starved.NEVER, 100);
        PinReport.Starved since =
                ReportSince.of(
                                base,
                                report(
                                        new PinReport.Starved(
                                                1, 10, FullReport.DIAGNOSIS, false, List.of(over)),
                                        200))
                        .starved();

        assertThat(since.past()).isEmpty();
        assertThat(since.diagnosis()).isNull();
    }

    @Test
    void aPeriodInProgressKeepsItsDiagnosis() {
        PinReport later =
                report(new PinReport.Starved(1, 10, FullReport.DIAGNOSIS, true, List.of()), 200);

        PinReport.Starved since =
                ReportSince.of(report(PinReport.Starved.NEVER, 100), later).starved();
        assertThat(since.now()).isTrue();
        assertThat(since.diagnosis()).isEqualTo(FullReport.DIAGNOSIS);
    }

    @Test
    void delaysAndReliefAreThoseSince() {
        PinReport base =
                report(
                        new PinReport.Delayed(true, 10, 1_000, 300, 0),
                        new PinReport.Relieved(true, 3, 40, 500));
        PinReport later =
                report(
                        new PinReport.Delayed(true, 14, 1_100, 300, 8),
                        new PinReport.Relieved(true, 5, 47, 590));
        PinReport since = ReportSince.of(base, later);

        assertThat(since.delayed()).isEqualTo(new PinReport.Delayed(true, 4, 100, 100, 8));
        assertThat(since.relieved()).isEqualTo(new PinReport.Relieved(true, 2, 7, 90));
    }

    @Test
    void theCarriersTimeIsThatSince() {
        PinReport base =
                FullReport.everything().with(new PinReport.CarrierTime(1, 2, 3, 4, 5, 6, 7, 8, 9));
        PinReport later =
                FullReport.everything()
                        .with(new PinReport.CarrierTime(11, 22, 33, 44, 55, 66, 77, 88, 99));

        assertThat(ReportSince.of(base, later).carriers())
                .isEqualTo(new PinReport.CarrierTime(10, 20, 30, 40, 50, 60, 70, 80, 90));
    }

    @Test
    void samplesCountSinceButTheLongestThatTheySawIsOfAnyTime() {
        addSampled(new Samples(1, 3, 8_000));
        PinReport base = report(List.of());
        addSampled(new Samples(1, 4, 5_000));
        PinReport since = ReportSince.of(base, report(List.of()));

        assertThat(since.sites())
                .extracting(site -> site.figures().samples())
                .containsExactly(new Samples(1, 4, 8_000));
        assertThat(since.totals())
                .extracting(total -> total.figures().samples())
                .containsExactly(new Samples(1, 4, 8_000));
    }

    private void addSampled(Samples samples) {
        ledger.addSampled(
                PinKind.NATIVE,
                PinReason.NATIVE,
                20_000,
                samples,
                new PinnedThread(null, 0, 0),
                () -> stack("A.a:1"));
    }

    @Test
    void threadsThatWaitedBeforeDoNotCountAtASite() {
        add(PinKind.PARK, "A.a:1", 500);
        ActivePin pin = activeAt(ledger.sites().getFirst());
        ledger.addWaited(pin, 900);
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 500);
        ledger.addWaited(pin, 40);

        assertThat(ReportSince.of(base, report(List.of())).sites())
                .extracting(PinReport.Held::waitedNanos)
                .containsExactly(40L);
    }

    @Test
    void whatMadeThreadsWaitTheLongestComesFirstHoweverShortItWas() {
        PinReport base = report(List.of());
        add(PinKind.PARK, "A.a:1", 500);
        ledger.addWaited(activeAt(ledger.sites().getFirst()), 10);
        add(PinKind.PARK, "B.b:2", 5);
        for (Site site : ledger.sites()) {
            ledger.addWaited(activeAt(site), site.key().site().equals("B.b:2") ? 40 : 0);
        }

        assertThat(ReportSince.of(base, report(List.of())).sites())
                .extracting(site -> site.site().site())
                .containsExactly("B.b:2", "A.a:1");
    }

    @Test
    void ofRarePlacesTheDifferenceIsLeft() {
        PinReport base = report(new PinReport.Rare(2, 5, 700));
        PinReport later = report(new PinReport.Rare(3, 9, 760));

        assertThat(ReportSince.of(base, later).rare()).isEqualTo(new PinReport.Rare(3, 4, 60));
        assertThat(ReportSince.of(later, later).rare()).isEqualTo(PinReport.Rare.NONE);
    }

    private static PinReport report(PinReport.Rare rare) {
        return new PinReport(
                FullReport.JVM,
                1,
                List.of(),
                List.of(),
                rare,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FullReport.FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                List.of());
    }

    private static Forecast.Remaining remaining(String site, long nanos) {
        return new Forecast.Remaining(site, "native", nanos, null);
    }

    private static PinReport report(Forecast forecast) {
        return report(
                forecast,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                1);
    }

    private static PinReport report(PinReport.Starved starved, long uptimeNanos) {
        return report(
                FullReport.FORECAST,
                starved,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                uptimeNanos);
    }

    @Test
    void ofBusySitesTheDifferenceIsLeft() {
        PinReport.Busy base = busy(busySite("a.B.c:1", 3, 300, 90), busySite("a.B.d:2", 1, 50, 50));
        PinReport.Busy later =
                busy(
                        busySite("a.B.c:1", 5, 360, 90),
                        busySite("a.B.d:2", 1, 50, 50),
                        busySite("a.B.e:3", 1, 80, 70));

        assertThat(
                        ReportSince.of(
                                        FullReport.everything().with(base),
                                        FullReport.everything().with(later))
                                .busy())
                .isEqualTo(busy(busySite("a.B.e:3", 1, 80, 70), busySite("a.B.c:1", 2, 60, 60)));
        assertThat(
                        ReportSince.of(
                                        FullReport.everything().with(PinReport.Busy.OFF),
                                        FullReport.everything().with(base))
                                .busy())
                .isEqualTo(base);
    }

    private static PinReport.Busy busy(PinReport.BusyPlace... sites) {
        return new PinReport.Busy(true, 1, List.of(sites));
    }

    private static PinReport.BusyPlace busySite(String site, long count, long nanos, long longest) {
        return new PinReport.BusyPlace(site, site, count, nanos, longest, List.of());
    }

    private static PinReport report(PinReport.Delayed delayed, PinReport.Relieved relieved) {
        return report(FullReport.FORECAST, PinReport.Starved.NEVER, delayed, relieved, 1);
    }

    private static PinReport report(
            Forecast forecast,
            PinReport.Starved starved,
            PinReport.Delayed delayed,
            PinReport.Relieved relieved,
            long uptimeNanos) {
        return new PinReport(
                FullReport.JVM,
                uptimeNanos,
                List.of(),
                List.of(),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                forecast,
                starved,
                delayed,
                relieved,
                PinReport.Scheduler.UNKNOWN,
                List.of());
    }

    private static ActivePin active(long ageNanos) {
        return active(ageNanos, null);
    }

    private static ActivePin activeAt(Site site) {
        return active(1, site);
    }

    private static ActivePin active(long ageNanos, @Nullable Site site) {
        Thread thread = Thread.currentThread();
        return ActivePins.of(
                PinKind.PARK, PinReason.MONITOR, ageNanos, thread, thread, false, site, null);
    }

    private void add(PinKind kind, String holder, long nanos) {
        ledger.add(kind, PinReason.MONITOR, nanos, () -> stack(holder));
    }

    private static PinnedStack stack(String holder) {
        return new PinnedStack(
                List.of(holder),
                0,
                holder,
                PinnedStack.Cause.MONITOR,
                "a.B",
                "a.B.c",
                null,
                null,
                Map.of());
    }

    private PinReport report(List<ActivePin> active) {
        uptimeNanos++;
        return PinReportMaker.of(
                ledger,
                () -> active,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                new PinReport.Jvm("1", "21", true, true, false, Map.of()),
                uptimeNanos);
    }
}
