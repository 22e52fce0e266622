package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RunDelayTest {
    private static final long MILLI = 1_000_000;

    @Test
    void whatTheThreadCannotHaveSleptIsTakenOffAsFarAsItWasQueued() {
        assertThat(RunDelay.withoutDelay(90 * MILLI, 85 * MILLI, 2 * MILLI)).isEqualTo(5 * MILLI);
        assertThat(RunDelay.withoutDelay(90 * MILLI, 0, 2 * MILLI)).isEqualTo(90 * MILLI);
        assertThat(RunDelay.withoutDelay(90 * MILLI, 200 * MILLI, -3 * MILLI)).isZero();
    }

    @Test
    void whatItMayHaveSleptIsNeverTakenOff() {
        assertThat(RunDelay.withoutDelay(50 * MILLI, 90 * MILLI, 50 * MILLI)).isEqualTo(50 * MILLI);
        assertThat(RunDelay.withoutDelay(50 * MILLI, 90 * MILLI, 800 * MILLI))
                .isEqualTo(50 * MILLI);
        assertThat(RunDelay.withoutDelay(50 * MILLI, 30 * MILLI, 40 * MILLI)).isEqualTo(40 * MILLI);
    }

    @Test
    void aThreadThatSleepsIsHeldForAsLong() {
        assertThat(RunDelay.prepare()).isTrue();
        RunDelay delay = new RunDelay();
        assertThat(delay.withoutDelay(1)).isEqualTo(1);
        long beganNanos = System.nanoTime();
        long untilNanos = beganNanos + 20 * MILLI;
        for (long left = 20 * MILLI; left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        // it may be late to wake, and wait for a CPU then
        assertThat(delay.withoutDelay(System.nanoTime() - beganNanos)).isGreaterThan(19 * MILLI);
    }

    @Test
    void ofAnIntervalThatBeganBeforeTheTimesWereReadNothingIsKnown() {
        RunDelay delay = new RunDelay();
        assertThat(delay.withoutDelay(1)).isEqualTo(1);
        long heldNanos = 3_600_000 * MILLI;
        assertThat(delay.withoutDelay(heldNanos)).isEqualTo(heldNanos);
    }
}
