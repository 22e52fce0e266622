package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.vtagent.cli.Interval.Meanwhile;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import org.junit.jupiter.api.Test;

class IntervalTest {
    private static final PinReport BEFORE =
            Reports.of(10 * SECOND, site("a.B.c:1", 10, SECOND), site("a.B.same:1", 10, SECOND));
    private static final Held WAITING =
            site(
                    new PinSite("a.B.w:1", "a.B.w:1", "java.lang.Object.wait", PinKind.WAIT),
                    2,
                    200 * MILLI,
                    MILLI);
    private static final PinReport NOW =
            Reports.of(
                    12 * SECOND,
                    site("a.B.c:1", 14, 3 * SECOND),
                    site("a.B.same:1", 10, SECOND),
                    WAITING);

    @Test
    void whatHappenedBetweenTwoReportsIsTheirDifference() {
        Interval interval = Interval.between(BEFORE, NOW);

        assertThat(interval.nanos()).isEqualTo(2 * SECOND);
        assertThat(interval.heldNanos())
                .containsOnly(entry(PinKind.PARK, 2 * SECOND), entry(PinKind.WAIT, 200 * MILLI));
        assertThat(interval.carriersHeld())
                .containsOnly(entry(PinKind.PARK, 1.0), entry(PinKind.WAIT, 0.1));
        assertThat(interval.sites())
                .containsOnly(
                        entry(site("a.B.c:1", 0, 0).site(), new Meanwhile(4, 2 * SECOND, 0)),
                        entry(WAITING.site(), new Meanwhile(2, 200 * MILLI, 0)));
        // of four carriers for two seconds
        assertThat(interval.lostShare()).isEqualTo(2.2 / 8);
        assertThat(interval.carriersHeld(WAITING.site())).isEqualTo(0.2 / 2);
        assertThat(interval.carriersHeld(site("a.B.same:1", 0, 0).site())).isZero();
    }

    @Test
    void whatRoundsToNoCarrierIsNotNamed() {
        Interval interval =
                Interval.between(
                        Reports.of(SECOND), Reports.of(2 * SECOND, site("a.B.c:1", 1, 4 * MILLI)));
        assertThat(interval.carriersHeld()).isEmpty();
        interval =
                Interval.between(
                        Reports.of(SECOND), Reports.of(2 * SECOND, site("a.B.c:1", 1, 5 * MILLI)));
        assertThat(interval.carriersHeld()).containsOnlyKeys(PinKind.PARK);
    }

    @Test
    void aReportAloneHasNoInterval() {
        assertThat(Interval.between(null, NOW).isKnown()).isFalse();
        assertThat(Interval.of(NOW).lostShare()).isZero();
    }

    @Test
    void aJvmThatWasStartedAnewHasNoBefore() {
        assertThat(Interval.between(NOW, BEFORE).isKnown()).isFalse();
        assertThat(Interval.between(NOW, NOW).isKnown()).isFalse();
        assertThat(Interval.between(NOW, Reports.of(13 * SECOND)).isKnown()).isFalse();
    }
}
