package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.vm.HeldStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PinReportTest {
    private static final long THRESHOLD_NANOS = 100;

    private final Ledger ledger = new Ledger(true, THRESHOLD_NANOS, 64, 2, Buckets.SINGLE);

    @Test
    void theLongestComeFirstAndTheSitesAddUpToTheTotals() {
        add(PinKind.PARK, PinReason.MONITOR, 200, "shop.A.a:1");
        add(PinKind.IO, PinReason.NONE, 900, "shop.B.b:2");
        add(PinKind.PARK, PinReason.MONITOR, 300, "shop.C.c:3"); // beyond the most sites
        add(PinKind.WAIT, PinReason.MONITOR, THRESHOLD_NANOS - 1, "not asked for");

        PinReport report = report(List.of());

        assertThat(report.totals()).extracting(PinReport.Total::nanos).containsExactly(900L, 500L, 99L);
        assertThat(report.sites())
                .extracting(held -> held.site().site())
                .containsExactly("shop.B.b:2", "(other)", "shop.A.a:1", "(unattributed)");
        assertThat(report.sites()).extracting(PinReport.Held::nanos).containsExactly(900L, 300L, 200L, 99L);
        assertThat(report.sites()).extracting(PinReport.Held::longestNanos).containsExactly(900L, 300L, 200L, 99L);
        assertThat(report.nanos()).isEqualTo(1_499);
        assertThat(report.count()).isEqualTo(4);
    }

    @Test
    void sitesThatStandForManySayHowToTellThemApart() {
        add(PinKind.PARK, PinReason.MONITOR, 900, "shop.A.a:1");
        add(PinKind.PARK, PinReason.MONITOR, 800, "shop.B.b:1");
        add(PinKind.PARK, PinReason.MONITOR, 700, "shop.C.c:1");
        add(PinKind.PARK, PinReason.MONITOR, 1, "not asked for");

        List<PinReport.Held> sites = report(List.of()).sites();

        assertThat(sites.get(2).advice()).contains("max-sites");
        assertThat(sites.get(3).advice()).contains("stack-threshold");
    }

    @Test
    void ofThePinsInProgressTheOldestIsTold() {
        Thread any = Thread.currentThread();
        ActivePin young = new ActivePin(PinKind.PARK, PinReason.MONITOR, 5, any, any, false, null, null);
        ActivePin old = new ActivePin(PinKind.PARK, PinReason.MONITOR, 7, any, any, false, null, null);

        assertThat(report(List.of(young, old)).active()).isEqualTo(new PinReport.Active(2, 7));
        assertThat(report(List.of()).active()).isEqualTo(new PinReport.Active(0, 0));
    }

    private PinReport report(List<ActivePin> active) {
        return PinReport.of(
                ledger, active, PinReport.Starved.NEVER, PinReport.Relieved.OFF, FullReport.JVM, 10_000_000_000L);
    }

    private void add(PinKind kind, PinReason reason, long nanos, String holder) {
        HeldStack stack = new HeldStack(
                List.of(), -1, holder, HeldStack.Cause.MONITOR, null, "java.lang.Thread.sleep", null, null, Map.of());
        ledger.add(kind, reason, nanos, () -> stack);
    }
}
