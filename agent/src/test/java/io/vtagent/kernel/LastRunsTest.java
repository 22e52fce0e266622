package io.vtagent.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.kernel.LastRuns.LastRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LastRunsTest {
    private static final long MILLI = 1_000_000;
    private static final long SLEEP_NANOS = 60 * MILLI;
    private static final long ACCURACY_NANOS = 5 * MILLI;

    /** The content of {@code stat} up to the number of the CPU. */
    private static final String STAT =
            "31 (a ) (b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
                    + " 26 27 28 29 30 31 32 33 34 35 ";

    @TempDir private Path directory;

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

    /** The kernel's directories of two threads, and a clock, that a test sets. */
    private final class Made {
        private final Path own = directory.resolve("thread-self");
        private final Path tasks = directory.resolve("task");
        private final Thread thread = Thread.currentThread();
        private final AtomicLong nanos = new AtomicLong(70_000 * MILLI);
        private final LastRuns runs;

        Made() throws IOException {
            own(0, "1.000000");
            other(0, "1.000000", "0.000000", "0", "0");
            runs = new LastRuns(own.toFile(), tasks.toFile(), nanos::get);
        }

        void own(int cpu, String execStart) throws IOException {
            write(own, cpu, "se.exec_start : " + execStart + "\n");
        }

        void other(int cpu, String execStart, String cpuMillis, String sleeps, String preemptions)
                throws IOException {
            write(
                    tasks.resolve(Long.toString(ThreadSchedStat.idOf(thread))),
                    cpu,
                    "java (31, #threads: 9)\n-----\nse.exec_start : "
                            + execStart
                            + "\nse.sum_exec_runtime : "
                            + cpuMillis
                            + "\nnr_voluntary_switches : "
                            + sleeps
                            + "\nnr_involuntary_switches : "
                            + preemptions
                            + "\n");
        }

        private static void write(Path task, int cpu, String sched) throws IOException {
            Files.createDirectories(task);
            Files.writeString(task.resolve("stat"), STAT + cpu + " 0 0\n");
            Files.writeString(task.resolve("sched"), sched);
        }

        @Nullable LastRun last() {
            return runs.of(thread);
        }

        /** Returns the time of the last run; null if it is not known. */
        @Nullable Long lastNanos() {
            LastRun last = last();
            return last == null ? null : last.atNanos().get();
        }
    }

    @Test
    void theTimeOfACpuIsCorrectedByTheClockThatWasComparedOnIt() throws IOException {
        Made made = new Made();
        made.own(3, "2000.000000");
        made.runs.calibrate();

        made.other(3, "2100.000001", "5.000000", "7", "2");
        assertThat(made.lastNanos()).isEqualTo(70_100 * MILLI + 1);
        made.other(0, "2100.000001", "5.000000", "7", "2");
        assertThat(made.lastNanos()).as("on another CPU").isNull();
        made.own(0, "9000.000000");
        made.runs.calibrate();
        assertThat(made.lastNanos()).isEqualTo(63_100 * MILLI + 1);
    }

    @Test
    void aClockIsComparedAgainAfterHalfASecondOnceManyWereCompared() throws IOException {
        Made made = new Made();
        made.other(1, "1.000000", "5.000000", "7", "2");
        for (int i = 0; i < 15; i++) {
            made.runs.calibrate();
        }
        made.own(1, "2.000000");
        made.runs.calibrate();
        assertThat(made.lastNanos()).as("the last one without a pause").isEqualTo(69_999 * MILLI);

        made.own(1, "3.000000");
        made.nanos.addAndGet(500 * MILLI - 1);
        made.runs.calibrate();
        assertThat(made.lastNanos()).as("too early").isEqualTo(69_999 * MILLI);

        made.nanos.incrementAndGet();
        made.runs.calibrate();
        assertThat(made.lastNanos()).isEqualTo(70_498 * MILLI);
    }

    @Test
    void aClockDriftsSoItIsNotUsedForLong() throws IOException {
        Made made = new Made();
        made.runs.calibrate();

        made.nanos.addAndGet(10_000 * MILLI);
        assertThat(made.lastNanos()).isEqualTo(70_000 * MILLI);
        made.nanos.incrementAndGet();
        assertThat(made.lastNanos()).isNull();
    }

    /** The kernel has it for a thread that is about to run on another CPU. */
    @Test
    void aTimeOfZeroIsNotATime() throws IOException {
        Made made = new Made();
        made.own(0, "0.000000");
        made.runs.calibrate();
        assertThat(made.lastNanos()).as("no clock was compared").isNull();

        made.other(0, "0.000000", "5.000000", "7", "2");
        assertThat(made.last()).isNull();
    }

    @Test
    void aThreadOfWhichAFigureIsMissingHasNoLastRun() throws IOException {
        Made made = new Made();
        made.other(0, "1.000000", "0.000000", "0", "0");
        LastRun last = requireNonNull(made.last());
        assertThat(last.sleeps()).isZero();
        assertThat(last.preemptions()).isZero();
        assertThat(last.cpuNanos()).isZero();

        made.other(0, "1.000000", "none", "0", "0");
        assertThat(made.last()).isNull();
        made.other(0, "1.000000", "0.000000", "none", "0");
        assertThat(made.last()).isNull();
        made.other(0, "1.000000", "0.000000", "0", "none");
        assertThat(made.last()).isNull();
    }

    @Test
    void withoutTheKernelsFileNothingIsKnown() throws IOException {
        Made made = new Made();
        LastRuns runs =
                new LastRuns(
                        directory.resolve("none").toFile(), made.tasks.toFile(), System::nanoTime);
        runs.calibrate();

        assertThat(runs.of(made.thread)).isNull();
    }

    @Test
    void theCpuIsTheThirtyNinthField() {
        assertThat(LastRuns.cpuIn(STAT + "7 0 0\n")).isEqualTo(7);
        assertThat(LastRuns.cpuIn(STAT + "7\n")).isEqualTo(7);
        assertThat(LastRuns.cpuIn(STAT)).isNegative();
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
        assertThat(LastRuns.nanosIn(LastRuns.EXEC_START, "se.exec_start : 0.000001\n"))
                .isEqualTo(1);
    }
}
