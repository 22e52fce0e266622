package io.vtagent.outlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.report.PinReport;
import io.vtagent.report.PinReportMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EachSecondTest {
    private static final PinReport.Jvm JVM = new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of());

    private final List<Long> measured = new ArrayList<>();
    private long second;
    private boolean atRest;
    private boolean awaited;
    private final EachSecond eachSecond =
            new EachSecond(this::measure, () -> TimeUnit.SECONDS.toNanos(second), () -> atRest, () -> awaited);

    private PinReport measure() {
        measured.add(second);
        return PinReportMaker.ofNothing(
                false, false, PinReport.Scheduler.UNKNOWN, JVM, TimeUnit.SECONDS.toNanos(second));
    }

    /** The seconds that are told now, of which each is one later. */
    private List<Long> told() {
        second++;
        return eachSecond.next().stream()
                .map(report -> TimeUnit.NANOSECONDS.toSeconds(report.uptimeNanos()))
                .toList();
    }

    private void rest(int seconds) {
        atRest = true;
        for (int i = 0; i < seconds; i++) {
            told();
        }
    }

    @Test
    void whileSomethingHappensEachSecondIsMeasuredAndTold() {
        for (long expected = 1; expected < 200; expected++) {
            assertThat(told()).containsExactly(expected);
        }
        assertThat(measured).hasSize(199);
    }

    @Test
    void atRestEachSecondIsToldAndOneInTenMeasured() {
        atRest = true;
        for (long expected = 1; expected <= EachSecond.CALM; expected++) {
            assertThat(told()).containsExactly(expected);
        }
        assertThat(measured).hasSize(EachSecond.CALM / EachSecond.REST);
    }

    @Test
    void afterACalmMinuteOneSecondInTenIsTold() {
        rest(EachSecond.CALM);
        int tellings = 0;
        for (int i = 0; i < 10 * EachSecond.REST; i++) {
            tellings += told().isEmpty() ? 0 : 1;
        }
        assertThat(tellings).isEqualTo(10);
    }

    /** Or what comes after the calm would be taken for spread over all of the seconds that were not told. */
    @Test
    void theFirstSecondAfterTheCalmComesWithTheLastOfTheCalm() {
        rest(EachSecond.CALM + 5);
        long lastOfCalm = second;
        atRest = false;
        assertThat(told()).containsExactly(lastOfCalm, lastOfCalm + 1);
        assertThat(told()).containsExactly(lastOfCalm + 2);
    }

    @Test
    void whoeverWaitsForASecondIsToldInTheCalmToo() {
        rest(EachSecond.CALM + 5);
        awaited = true;
        assertThat(told()).containsExactly(second);
        atRest = false;
        assertThat(told()).containsExactly(second);
    }

    @Test
    void theCalmIsOverWhenSomethingHappensForAMoment() {
        rest(EachSecond.CALM + 5);
        atRest = false;
        told();
        atRest = true;
        for (int i = 0; i < EachSecond.CALM; i++) {
            assertThat(told()).containsExactly(second);
        }
    }
}
