package io.vtagent.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.report.Forecast;
import io.vtagent.report.PinReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptPinsTest {
    private final KeptPins kept = new KeptPins(3);

    @Test
    void theNewestAreKeptInTheirOrder() {
        for (int nanos = 0; nanos < 5; nanos++) {
            kept.ended(pin(nanos));
        }

        assertThat(kept.count()).isEqualTo(5);
        assertThat(kept.since(0))
                .extracting(each -> each.pin().nanos())
                .containsExactly(2L, 3L, 4L);
        assertThat(kept.since(4)).extracting(each -> each.pin().nanos()).containsExactly(4L);
        assertThat(kept.since(5)).isEmpty();
    }

    @Test
    void ofAThreadItsNameIsKeptAndNotTheThread() {
        kept.ended(pin(1));

        KeptPins.Kept only = kept.since(0).getFirst();
        assertThat(only.thread()).isEqualTo("a-thread");
        assertThat(only.pin().thread()).isNull();
        assertThat(only.pin().threadId()).isEqualTo(42);
    }

    @Test
    void ofMoreMarksThanAHundredTheNewestAreKept() {
        Marks marks = new Marks();
        Marks.Mark mark = new Marks.Mark(report(), 0, kept, 0);
        long first = marks.add(mark);
        for (int i = 1; i < Marks.MAX_MARKS; i++) {
            marks.add(mark);
        }
        assertThat(marks.get(first)).isSameAs(mark);
        long newest = marks.add(mark);

        assertThat(marks.get(newest)).isSameAs(mark);
        assertThatThrownBy(() -> marks.get(first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a result of mark()");
        marks.remove(newest);
        assertThatThrownBy(() -> marks.get(newest)).isInstanceOf(IllegalArgumentException.class);
    }

    private static EndedPin pin(long nanos) {
        Thread thread = Thread.ofVirtual().name("a-thread").unstarted(() -> {});
        return new EndedPin(
                PinKind.PARK, PinReason.MONITOR, false, null, nanos, 0, thread, 42, true);
    }

    static PinReport report() {
        return new PinReport(
                new PinReport.Jvm("1", "21", true, true, false, Map.of()),
                0,
                List.of(),
                List.of(),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                new Forecast(0, 0, 0, List.of()),
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                List.of());
    }
}
