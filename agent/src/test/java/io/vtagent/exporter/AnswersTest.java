package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.report.Answer;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReportMaker;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private final Answers answers = new Answers(() -> true, () -> 0, ThreadReadings.ofNobody());

    @Test
    void inTheFirstMinuteTheAnswerIsAboutAllOfIt() {
        publishUntil(30);

        assertThat(periodOf(answers.aboutLastMinute(report(30)))).isEqualTo(30);
    }

    @Test
    void laterItIsAboutTheLastMinute() {
        publishUntil(3_600);

        assertThat(periodOf(answers.aboutLastMinute(report(3_600)))).isBetween(60.0, 70.0);
    }

    @Test
    void atTheEndItIsAboutTheWholeRun() {
        publishUntil(3_600);

        assertThat(periodOf(answers.aboutWholeRun(report(3_600)))).isEqualTo(3_600);
    }

    @Test
    void afterAnIdlePeriodWithoutReportsItIsAboutTheLastMinuteAtLeast() {
        publishUntil(100);

        assertThat(periodOf(answers.aboutLastMinute(report(500)))).isBetween(400.0, 410.0);
    }

    private void publishUntil(long second) {
        for (long each = 1; each <= second; each++) {
            answers.publish(report(each));
        }
    }

    private static @Nullable Double periodOf(PinReport report) {
        Answer answer = report.answer();
        return answer == null ? null : answer.evidence().get("periodSeconds");
    }

    private static PinReport report(long second) {
        return PinReportMaker.ofNothing(
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                new PinReport.Jvm("1", "25", true, false, false, Map.of()),
                TimeUnit.SECONDS.toNanos(second));
    }
}
