package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.PinnedStack;
import java.util.List;
import java.util.Map;
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
        assertThat(since.sites()).extracting(site -> site.site().site()).containsExactly("A.a:1", "C.c:3");
        assertThat(since.sites()).extracting(site -> site.figures().nanos()).containsExactly(30L, 4L);
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
    void aPinThatHadBegunBeforeCountsWithItsTimeSince() {
        PinReport base = report(List.of(active(1_000)));
        PinReport since = ReportSince.of(base, report(List.of(active(1_300))));

        assertThat(since.count()).isZero();
        assertThat(since.nanos()).isEqualTo(300);
        assertThat(since.inProgress().count()).isEqualTo(1);
        assertThat(since.pins()).hasSize(1);
    }

    @Test
    void nothingSinceIsNothing() {
        add(PinKind.PARK, "A.a:1", 500);
        PinReport since = ReportSince.of(report(List.of()), report(List.of()));

        assertThat(since.totals()).isEmpty();
        assertThat(since.sites()).isEmpty();
        assertThat(TextReport.render(since)).contains("no virtual thread held its carrier");
    }

    private static ActivePin active(long ageNanos) {
        Thread thread = Thread.currentThread();
        return new ActivePin(PinKind.PARK, PinReason.MONITOR, ageNanos, thread, thread, false, null, null);
    }

    private void add(PinKind kind, String holder, long nanos) {
        ledger.add(kind, PinReason.MONITOR, nanos, () -> stack(holder));
    }

    private static PinnedStack stack(String holder) {
        return new PinnedStack(
                List.of(holder), 0, holder, PinnedStack.Cause.MONITOR, "a.B", "a.B.c", null, null, Map.of());
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
