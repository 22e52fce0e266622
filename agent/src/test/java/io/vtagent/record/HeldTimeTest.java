package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.vm.FramesOfInterest;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldTimeTest {
    private final Ledger ledger = new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private List<ActivePin> active = List.of();
    private final HeldTime held = new HeldTime(ledger::totals, () -> active);

    @Test
    void whatIsInProgressCountsLikeWhatHasEnded() {
        end(PinKind.PARK, 300);
        end(PinKind.IO, 1_000);
        active = List.of(inProgress(PinKind.PARK, 20), inProgress(PinKind.PARK, 5), inProgress(PinKind.WAIT, 7));

        assertThat(held.nanos(PinKind.PARK)).isEqualTo(325);
        assertThat(held.nanos(PinKind.WAIT)).isEqualTo(7);
        assertThat(held.nanos(PinKind.IO)).isEqualTo(1_000);
        assertThat(held.nanos(PinKind.ENTER)).isZero();
    }

    @Test
    void whenAPinEndsItGoesOnFromThere() {
        active = List.of(inProgress(PinKind.PARK, 100));
        assertThat(held.nanos(PinKind.PARK)).isEqualTo(100);
        active = List.of();
        assertThat(held.nanos(PinKind.PARK)).as("not counted yet").isEqualTo(100);
        end(PinKind.PARK, 110);
        assertThat(held.nanos(PinKind.PARK)).isEqualTo(110);
        active = List.of(inProgress(PinKind.PARK, 1));
        assertThat(held.nanos(PinKind.PARK)).isEqualTo(111);
    }

    @Test
    void aPinThatWasNoneIsMadeUpForByTheNextOne() {
        active = List.of(inProgress(PinKind.WAIT, 100));
        assertThat(held.nanos(PinKind.WAIT)).isEqualTo(100);
        active = List.of();
        end(PinKind.WAIT, 60);
        assertThat(held.nanos(PinKind.WAIT)).isEqualTo(100);
        end(PinKind.WAIT, 60);
        assertThat(held.nanos(PinKind.WAIT)).isEqualTo(120);
    }

    /** It is asked for what has ended first, so what ends meanwhile is not there twice. */
    @Test
    void aPinThatEndsWhileItIsAskedForCountsOnce() {
        active = List.of(inProgress(PinKind.PARK, 100));
        HeldTime asked = new HeldTime(ledger::totals, () -> {
            end(PinKind.PARK, 100);
            return List.of();
        });
        assertThat(asked.nanos(PinKind.PARK)).isZero();
        HeldTime other = new HeldTime(
                () -> {
                    EndedPins totals = ledger.totals();
                    active = List.of();
                    return totals;
                },
                () -> active);
        assertThat(other.nanos(PinKind.PARK)).isEqualTo(100);
    }

    private void end(PinKind kind, long nanos) {
        ledger.add(kind, PinReason.MONITOR, nanos, () -> null);
    }

    private static ActivePin inProgress(PinKind kind, long ageNanos) {
        Thread any = Thread.currentThread();
        return new ActivePin(kind, PinReason.MONITOR, ageNanos, any, any, false, null, null);
    }
}
