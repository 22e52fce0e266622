package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport.Past;
import io.vtagent.report.PinReport.Pin;
import io.vtagent.report.PinReport.Starved;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Finds a deadlock that remains after the carriers of its threads were replaced. */
class StarvedTest {
    private static final long SECOND = 1_000_000_000;
    private static final long UPTIME = 100 * SECOND;

    private static final Diagnosis DEADLOCK =
            FullReport.deadlock(
                    new Diagnosis.Link("\"a\" #1", "monitor A", "monitor B"),
                    new Diagnosis.Link("\"main\" #3", "monitor B", "monitor A"));

    private static final Diagnosis OVERLOAD = FullReport.deadlock();

    /** It lasted from 10 to 15 s. */
    private static final Past PERIOD = new Past(10 * SECOND, 5 * SECOND, DEADLOCK);

    private static final Past LATER = new Past(50 * SECOND, 5 * SECOND, OVERLOAD);

    @Test
    void aDeadlockRemainsIfOneOfItsThreadsIsPinnedSinceThen() {
        assertThat(deadlock(List.of(PERIOD), pin("a#1", 86))).isEqualTo(DEADLOCK);
        assertThat(deadlock(List.of(LATER, PERIOD), pin("a#1", 86))).isEqualTo(DEADLOCK);
    }

    @Test
    void aLaterPinIsAnother() {
        assertThat(deadlock(List.of(PERIOD), pin("a#1", 84))).isNull();
    }

    @Test
    void soIsThatOfAnotherThread() {
        assertThat(deadlock(List.of(PERIOD), pin("a#11", 86), pin("1#2", 86))).isNull();
    }

    @Test
    void withoutADeadlockNothingRemains() {
        assertThat(deadlock(List.of(LATER), pin("a#1", 86))).isNull();
        assertThat(deadlock(List.of(), pin("a#1", 86))).isNull();
    }

    /** The period may have ended long before the last minute. */
    @Test
    void itIsPartOfTheReportOfALaterPeriod() {
        PinReport report =
                FullReport.with(new Starved(1, 1, DEADLOCK, false, List.of(PERIOD), DEADLOCK));

        assertThat(ReportSince.of(report.later(20 * SECOND), report).starved().deadlock())
                .isEqualTo(DEADLOCK);
    }

    private static @Nullable Diagnosis deadlock(List<Past> past, Pin... pins) {
        return new Starved(1, 1, null, false, past).with(List.of(pins), UPTIME).deadlock();
    }

    private static Pin pin(String thread, long seconds) {
        return new Pin(
                thread,
                "carrier",
                new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                new PinSite("shop.Cache.get:1", "shop.Cache.get:1", "", PinKind.PARK),
                seconds * SECOND);
    }
}
