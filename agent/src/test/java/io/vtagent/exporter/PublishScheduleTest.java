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
    private boolean idle;
    private boolean awaited;
    private final PublishSchedule eachSecond =
            new PublishSchedule(
                    this::measure,
                    () -> TimeUnit.SECONDS.toNanos(second),
                    () -> idle,
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

    /** Returns the next second, if it is published. */
    private @Nullable Long publishedSecond() {
        second++;
        PinReport report = eachSecond.next();
        return report == null ? null : TimeUnit.NANOSECONDS.toSeconds(report.uptimeNanos());
    }

    private void stayIdle(int seconds) {
        idle = true;
        for (int i = 0; i < seconds; i++) {
            publishedSecond();
        }
    }

    @Test
    void whileSomethingHappensEachSecondIsMeasuredAndReported() {
        for (long expected = 1; expected < 200; expected++) {
            assertThat(publishedSecond()).isEqualTo(expected);
        }
        assertThat(measured).hasSize(199);
    }

    @Test
    void whileIdleEachSecondIsReportedAndOneInTenMeasured() {
        idle = true;
        for (long expected = 1; expected <= PublishSchedule.IDLE_AFTER_SECONDS; expected++) {
            assertThat(publishedSecond()).isEqualTo(expected);
        }
        assertThat(measured)
                .hasSize(
                        PublishSchedule.IDLE_AFTER_SECONDS / PublishSchedule.IDLE_INTERVAL_SECONDS);
    }

    @Test
    void afterAnIdleMinuteOneSecondInTenIsReported() {
        stayIdle(PublishSchedule.IDLE_AFTER_SECONDS);
        int publications = 0;
        for (int i = 0; i < 10 * PublishSchedule.IDLE_INTERVAL_SECONDS; i++) {
            publications += publishedSecond() == null ? 0 : 1;
        }
        assertThat(publications).isEqualTo(10);
    }

    @Test
    void whatHappensWhileIdleIsMeasuredInTheSameSecond() {
        stayIdle(PublishSchedule.IDLE_AFTER_SECONDS + 5);
        idle = false;
        assertThat(publishedSecond()).isEqualTo(second);
        assertThat(measured).last().isEqualTo(second);
    }

    @Test
    void aClientThatWaitsForASecondGetsItWhileIdleToo() {
        stayIdle(PublishSchedule.IDLE_AFTER_SECONDS + 5);
        assertThat(publishedSecond()).isNull();
        awaited = true;
        assertThat(publishedSecond()).isEqualTo(second);
    }

    @Test
    void theIdlePeriodIsOverWhenSomethingHappensForAMoment() {
        stayIdle(PublishSchedule.IDLE_AFTER_SECONDS + 5);
        idle = false;
        publishedSecond();
        idle = true;
        for (int i = 0; i < PublishSchedule.IDLE_AFTER_SECONDS; i++) {
            assertThat(publishedSecond()).isEqualTo(second);
        }
    }
}
