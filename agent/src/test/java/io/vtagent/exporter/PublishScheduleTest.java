package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.report.PinReport;
import io.vtagent.report.PinReportMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishScheduleTest {
    private static final PinReport.Jvm JVM =
            new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of());

    private final List<Long> measured = new ArrayList<>();
    private long second;
    private boolean atRest;
    private boolean awaited;
    private final PublishSchedule eachSecond =
            new PublishSchedule(
                    this::measure,
                    () -> TimeUnit.SECONDS.toNanos(second),
                    () -> atRest,
                    () -> awaited);

    private PinReport measure() {
        measured.add(second);
        return PinReportMaker.ofNothing(
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                JVM,
                TimeUnit.SECONDS.toNanos(second));
    }

    /** The next second, if it is told. */
    private @Nullable Long told() {
        second++;
        PinReport report = eachSecond.next();
        return report == null ? null : TimeUnit.NANOSECONDS.toSeconds(report.uptimeNanos());
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
            assertThat(told()).isEqualTo(expected);
        }
        assertThat(measured).hasSize(199);
    }

    @Test
    void atRestEachSecondIsToldAndOneInTenMeasured() {
        atRest = true;
        for (long expected = 1; expected <= PublishSchedule.CALM; expected++) {
            assertThat(told()).isEqualTo(expected);
        }
        assertThat(measured).hasSize(PublishSchedule.CALM / PublishSchedule.REST);
    }

    @Test
    void afterACalmMinuteOneSecondInTenIsTold() {
        rest(PublishSchedule.CALM);
        int tellings = 0;
        for (int i = 0; i < 10 * PublishSchedule.REST; i++) {
            tellings += told() == null ? 0 : 1;
        }
        assertThat(tellings).isEqualTo(10);
    }

    @Test
    void whatHappensInTheCalmIsMeasuredInTheSameSecond() {
        rest(PublishSchedule.CALM + 5);
        atRest = false;
        assertThat(told()).isEqualTo(second);
        assertThat(measured).last().isEqualTo(second);
    }

    @Test
    void whoeverWaitsForASecondIsToldInTheCalmToo() {
        rest(PublishSchedule.CALM + 5);
        assertThat(told()).isNull();
        awaited = true;
        assertThat(told()).isEqualTo(second);
    }

    @Test
    void theCalmIsOverWhenSomethingHappensForAMoment() {
        rest(PublishSchedule.CALM + 5);
        atRest = false;
        told();
        atRest = true;
        for (int i = 0; i < PublishSchedule.CALM; i++) {
            assertThat(told()).isEqualTo(second);
        }
    }
}
