package io.vtagent.kernel;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads when a thread was last on a CPU. Linux keeps that time in {@code
 * /proc/self/task/<tid>/sched} ({@code se.exec_start}, kernels with {@code CONFIG_SCHED_DEBUG}). It
 * is the time of a clock of that CPU ({@code rq_clock_task}), which stands still during interrupts
 * and while a hypervisor runs something else. So the difference between that clock and {@link
 * System#nanoTime} is measured on each CPU when the current thread runs on it.
 *
 * <p>The time is accurate to some 0.1 ms for a sleeping thread, and a call costs about 40 &micro;s.
 * For one thread at a time, which should sleep most of the time.
 */
public final class LastRuns {
    private static final long UNKNOWN = -1;

    /** The time for which a clock is taken to keep its difference. It drifts slowly. */
    private static final long MAX_AGE_NANOS = 10_000_000_000L;

    /** The time after which the clock of the current CPU is compared again. */
    private static final long CALIBRATED_AGAIN_NANOS = 500_000_000;

    /** The number of comparisons that are made without a pause, to know several CPUs soon. */
    private static final int FIRST_CALIBRATIONS = 16;

    private static final String SCHED = "sched";
    private static final String STAT = "stat";
    static final String EXEC_START = "se.exec_start";
    private static final String CPU_TIME = "se.sum_exec_runtime";
    private static final String SLEEPS = "nr_voluntary_switches";
    private static final String PREEMPTIONS = "nr_involuntary_switches";

    /** The position of the CPU's number among the fields that follow the name in {@code stat}. */
    private static final int CPU_FIELD = 36;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MILLIS_DIGITS = 6;

    /**
     * The clock of a CPU at one moment.
     *
     * @param aheadNanos by how much {@link System#nanoTime} is ahead of it
     */
    private record Clock(long aheadNanos, long atNanos) {}

    /**
     * The newest time at which a thread is known to have run.
     *
     * @param atNanos returns that time, as {@link System#nanoTime}; if the thread is sleeping, the
     *     start of the sleep; null while the clock of that CPU is not known
     * @param sleeps how often the thread has gone to sleep until now
     * @param preemptions how often it has lost its CPU to another thread
     * @param cpuNanos the CPU time that it had used by then
     */
    public record LastRun(
            Supplier<@Nullable Long> atNanos, long sleeps, long preemptions, long cpuNanos) {
        /**
         * Returns when the sleep ended that had begun at {@code before}: some CPU time before the
         * thread last ran. Time for which it waited for a CPU at the end of the sleep belongs to
         * the sleep.
         *
         * @param before the last run of the same thread, read during that sleep
         * @return null if the thread has slept more than once since, or was preempted, and while
         *     the clock of the CPU is not known
         */
        public @Nullable Long endOfSleep(LastRun before) {
            Long at = atNanos.get();
            return at == null || sleeps - before.sleeps > 1 || preemptions != before.preemptions
                    ? null
                    : at - (cpuNanos - before.cpuNanos);
        }
    }

    private final File own;
    private final File tasks;
    private final LongSupplier nanoClock;
    private final byte[] buffer = new byte[1 << 13];
    private final Map<Long, Clock> clocks = new HashMap<>();
    private final boolean available;
    private int calibrations;
    private long calibratedAtNanos;

    public LastRuns() {
        this(new File("/proc/thread-self"), new File("/proc/self/task"), System::nanoTime);
    }

    /**
     * @param own the directory of the current thread
     * @param tasks has the directories of all threads
     */
    LastRuns(File own, File tasks, LongSupplier nanoClock) {
        this.own = own;
        this.tasks = tasks;
        this.nanoClock = nanoClock;
        available = !read(new File(own, SCHED)).isEmpty();
    }

    /**
     * Compares the clock of the current CPU, unless that was done a moment ago. Should be called
     * soon after the current thread has woken, so that the clocks of several CPUs become known.
     */
    public void calibrate() {
        long nowNanos = nanoClock.getAsLong();
        if (!available
                || (calibrations >= FIRST_CALIBRATIONS
                        && nowNanos - calibratedAtNanos < CALIBRATED_AGAIN_NANOS)) {
            return;
        }
        calibrations++;
        calibratedAtNanos = nowNanos;
        long cpu = cpuOf(own);
        long startNanos = nanosIn(EXEC_START, read(new File(own, SCHED)));
        if (cpu >= 0 && startNanos > 0 && cpuOf(own) == cpu) {
            clocks.put(cpu, new Clock(nowNanos - startNanos, nowNanos));
        }
    }

    /**
     * Returns the last run of {@code thread}, a live platform thread; null if it is not known. The
     * result is meaningless if the thread goes to another CPU during the call.
     */
    public @Nullable LastRun of(Thread thread) {
        long id = ThreadSchedStat.idOf(thread);
        if (!available || id == ThreadSchedStat.UNKNOWN) {
            return null;
        }
        File task = new File(tasks, Long.toString(id));
        long cpu = cpuOf(task);
        String sched = read(new File(task, SCHED));
        long startNanos = nanosIn(EXEC_START, sched); // 0 if it is about to run on another CPU
        long cpuNanos = nanosIn(CPU_TIME, sched);
        long sleeps = number(valueOf(SLEEPS, sched));
        long preemptions = number(valueOf(PREEMPTIONS, sched));
        return startNanos <= 0 || cpuNanos < 0 || sleeps < 0 || preemptions < 0
                ? null
                : new LastRun(() -> nanoTime(cpu, startNanos), sleeps, preemptions, cpuNanos);
    }

    private @Nullable Long nanoTime(long cpu, long clockNanos) {
        Clock clock = clocks.get(cpu);
        return clock == null || nanoClock.getAsLong() - clock.atNanos > MAX_AGE_NANOS
                ? null
                : clockNanos + clock.aheadNanos;
    }

    private long cpuOf(File task) {
        return cpuIn(read(new File(task, STAT)));
    }

    /** Returns the content of {@code file}; empty if it cannot be read. */
    private String read(File file) {
        try (FileInputStream in = new FileInputStream(file)) {
            return new String(buffer, 0, Math.max(in.read(buffer), 0), StandardCharsets.ISO_8859_1);
        } catch (IOException | SecurityException ended) {
            return "";
        }
    }

    /** Returns the number of the CPU in the content of {@code stat}; negative if there is none. */
    static long cpuIn(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length <= CPU_FIELD ? UNKNOWN : number(fields[CPU_FIELD]);
    }

    /**
     * Returns the time with that label in the content of {@code sched}, in ns; negative if there is
     * none.
     */
    static long nanosIn(String label, String sched) {
        String millis = valueOf(label, sched);
        int point = millis.indexOf('.');
        if (point < 0 || millis.length() - point - 1 != MILLIS_DIGITS) {
            return UNKNOWN;
        }
        long whole = number(millis.substring(0, point));
        long part = number(millis.substring(point + 1));
        return whole < 0 || part < 0 ? UNKNOWN : whole * NANOS_PER_MILLI + part;
    }

    private static String valueOf(String label, String sched) {
        int at = sched.indexOf(label);
        int from = sched.indexOf(':', Math.max(at, 0)) + 1;
        int to = sched.indexOf('\n', from);
        return at < 0 || from == 0 || to < 0 ? "" : sched.substring(from, to).strip();
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException none) {
            return UNKNOWN;
        }
    }
}
