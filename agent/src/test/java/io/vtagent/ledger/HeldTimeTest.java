package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldTimeTest {
    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private List<ActivePin> active = List.of();
    private final HeldTime held = new HeldTime(ledger::totals, () -> active);

    @Test
    void whatIsInProgressCountsLikeWhatHasEnded() {
        end(PinKind.PARK, 300);
        end(PinKind.IO, 1_000);
        active =
                List.of(
                        inProgress(PinKind.PARK, 20),
                        inProgress(PinKind.PARK, 5),
                        inProgress(PinKind.WAIT, 7));

        assertThat(nanos(PinKind.PARK)).isEqualTo(325);
        assertThat(nanos(PinKind.WAIT)).isEqualTo(7);
        assertThat(nanos(PinKind.IO)).isEqualTo(1_000);
        assertThat(nanos(PinKind.ENTER)).isZero();
    }

    @Test
    void whenAPinEndsItGoesOnFromThere() {
        active = List.of(inProgress(PinKind.PARK, 100));
        assertThat(nanos(PinKind.PARK)).isEqualTo(100);
        active = List.of();
        assertThat(nanos(PinKind.PARK)).as("not counted yet").isEqualTo(100);
        end(PinKind.PARK, 110);
        assertThat(nanos(PinKind.PARK)).isEqualTo(110);
        active = List.of(inProgress(PinKind.PARK, 1));
        assertThat(nanos(PinKind.PARK)).isEqualTo(111);
    }

    @Test
    void aPinThatWasNoneIsCompensatedByTheNextOne() {
        active = List.of(inProgress(PinKind.WAIT, 100));
        assertThat(nanos(PinKind.WAIT)).isEqualTo(100);
        active = List.of();
        end(PinKind.WAIT, 60);
        assertThat(nanos(PinKind.WAIT)).isEqualTo(100);
        end(PinKind.WAIT, 60);
        assertThat(nanos(PinKind.WAIT)).isEqualTo(120);
    }

    @Test
    void whatTurnsOutToBeOfAnotherKindDoesNotCountTwice() {
        active = List.of(inProgress(PinKind.JVM, 100));
        assertThat(nanos(PinKind.JVM)).isEqualTo(100);
        active = List.of();
        end(PinKind.CLASS_INIT, 100);
        assertThat(nanos(PinKind.CLASS_INIT)).isZero();
        assertThat(nanos(PinKind.JVM)).isEqualTo(100);

        end(PinKind.JVM, 60);
        end(PinKind.PARK, 50);
        assertThat(sum()).as("but for fractions of a nanosecond").isBetween(208L, 210L);
        assertThat(nanos(PinKind.JVM)).isEqualTo(100);
        assertThat(nanos(PinKind.CLASS_INIT)).as("of what is new, its share").isBetween(70L, 75L);

        end(PinKind.JVM, 1_000);
        assertThat(sum()).isEqualTo(1_210);
    }

    private long sum() {
        return Arrays.stream(PinKind.values()).mapToLong(refreshed(held)::nanos).sum();
    }

    private long nanos(PinKind kind) {
        return refreshed(held).nanos(kind);
    }

    private static HeldTime refreshed(HeldTime held) {
        held.refresh();
        return held;
    }

    /** It is asked for what has ended first, so what ends meanwhile is not there twice. */
    @Test
    void aPinThatEndsWhileItIsAskedForCountsOnce() {
        active = List.of(inProgress(PinKind.PARK, 100));
        HeldTime asked =
                new HeldTime(
                        ledger::totals,
                        () -> {
                            end(PinKind.PARK, 100);
                            return List.of();
                        });
        assertThat(refreshed(asked).nanos(PinKind.PARK)).isZero();
        HeldTime other =
                new HeldTime(
                        () -> {
                            EndedPins totals = ledger.totals();
                            active = List.of();
                            return totals;
                        },
                        () -> active);
        assertThat(refreshed(other).nanos(PinKind.PARK)).isEqualTo(100);
    }

    private void end(PinKind kind, long nanos) {
        ledger.add(kind, PinReason.MONITOR, nanos, () -> null);
    }

    private static ActivePin inProgress(PinKind kind, long ageNanos) {
        Thread any = Thread.currentThread();
        return ActivePins.of(kind, PinReason.MONITOR, ageNanos, any, any, false, null, null);
    }
}
