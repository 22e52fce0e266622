package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.kernel.LastRuns.LastRun;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LastRunsTest {
    private static final long MILLI = 1_000_000;
    private static final long SLEEP_NANOS = 60 * MILLI;
    private static final long ACCURACY_NANOS = 5 * MILLI;

    private volatile long sleepsFromNanos;
    private volatile long wokenAtNanos;
    private volatile boolean over;

    /**
     * A thread may be preempted before it sleeps and after it wakes, or sleep on a CPU whose clock
     * is not known yet, so some attempts fail on a busy machine.
     */
    @Test
    void theStartAndTheEndOfASleepAreKnown() throws InterruptedException {
        Thread sleeper = Thread.ofPlatform().start(this::sleepNowAndThen);
        LastRuns runs = new LastRuns();
        try {
            int accurate = 0;
            while (accurate < 5) {
                long fromNanos = awaitSleep(runs);
                LastRun asleep = runs.of(sleeper);
                Long startNanos = asleep == null ? null : asleep.atNanos().get();
                if (asleep == null || startNanos == null || fromNanos != sleepsFromNanos) {
                    continue;
                }
                awaitSleep(runs);
                LastRun later = runs.of(sleeper);
                Long endNanos = later == null ? null : later.endOfSleep(asleep);
                if (endNanos != null) {
                    long error = Math.abs(startNanos - fromNanos);
                    long errorAtEnd = Math.abs(endNanos - wokenAtNanos);
                    accurate += error < ACCURACY_NANOS && errorAtEnd < ACCURACY_NANOS ? 1 : 0;
                }
            }
        } finally {
            over = true;
            LockSupport.unpark(sleeper);
            sleeper.join();
        }
    }

    /** Waits until the sleeper sleeps for a while, and returns since when. */
    private long awaitSleep(LastRuns runs) {
        long before = sleepsFromNanos;
        while (sleepsFromNanos == before || System.nanoTime() - sleepsFromNanos < SLEEP_NANOS / 4) {
            LockSupport.parkNanos(MILLI);
            runs.calibrate();
        }
        return sleepsFromNanos;
    }

    @Test
    void theEndOfASleepIsNotKnownOnceTheThreadHasSleptAgain() {
        LastRun asleep = new LastRun(() -> 1_000L, 7, 2, 50);
        assertThat(new LastRun(() -> 5_000L, 7, 2, 60).endOfSleep(asleep)).isEqualTo(4_990);
        assertThat(new LastRun(() -> 5_000L, 8, 2, 60).endOfSleep(asleep)).isEqualTo(4_990);
        assertThat(new LastRun(() -> 5_000L, 9, 2, 60).endOfSleep(asleep)).isNull();
    }

    @Test
    void theEndOfASleepIsNotKnownOnceTheThreadWasPreempted() {
        LastRun asleep = new LastRun(() -> 1_000L, 7, 2, 50);
        assertThat(new LastRun(() -> 5_000L, 8, 3, 60).endOfSleep(asleep)).isNull();
    }

    private void sleepNowAndThen() {
        while (!over) {
            sleepsFromNanos = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            wokenAtNanos = System.nanoTime();
        }
    }

    @Test
    void theTimeOfACpuWhoseClockWasNotComparedIsNotKnown() {
        Thread sleeper = Thread.ofPlatform().start(this::sleepNowAndThen);
        try {
            LastRun lastRun = awaitLastRun(sleeper);
            assertThat(lastRun.atNanos().get()).isNull();
            assertThat(lastRun.endOfSleep(new LastRun(() -> 1L, lastRun.sleeps(), 0, 0))).isNull();
        } finally {
            over = true;
            LockSupport.unpark(sleeper);
        }
    }

    private static LastRun awaitLastRun(Thread thread) {
        LastRuns runs = new LastRuns();
        LastRun lastRun = runs.of(thread);
        while (lastRun == null) { // it is about to run on another CPU
            lastRun = runs.of(thread);
        }
        return lastRun;
    }

    @Test
    void theCpuIsTheThirtyNinthField() {
        String stat =
                "31 (a ) (b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
                        + " 26 27 28 29 30 31 32 33 34 35 7 0 0\n";
        assertThat(LastRuns.cpuIn(stat)).isEqualTo(7);
        assertThat(LastRuns.cpuIn("31 (a) S 1 2 3")).isNegative();
        assertThat(LastRuns.cpuIn("")).isNegative();
    }

    @Test
    void theStartIsReadWithAllItsDigits() {
        String sched =
                "java (31, #threads: 9)\n-----\nse.exec_start      :      49395307.596796\n"
                        + "se.vruntime        :         64922.388125\n";
        assertThat(LastRuns.nanosIn(LastRuns.EXEC_START, sched)).isEqualTo(49_395_307_596_796L);
        assertThat(LastRuns.nanosIn(LastRuns.EXEC_START, sched.replace(".596796", "")))
                .isNegative();
        assertThat(LastRuns.nanosIn(LastRuns.EXEC_START, sched.replace("exec_start", "start")))
                .isNegative();
        assertThat(LastRuns.nanosIn(LastRuns.EXEC_START, "")).isNegative();
    }
}
