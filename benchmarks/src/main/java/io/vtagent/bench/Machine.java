package io.vtagent.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine on which the figures were measured. Its load shows whether it had other work at the
 * start.
 */
final class Machine {
    private static final Path CPU = Path.of("/proc/cpuinfo");

    private static final Path OWN = Path.of("/proc/self/stat");

    /** Positions of {@code cutime} and {@code cstime} behind the name, see proc_pid_stat(5). */
    private static final int CHILDREN_USER = 13;

    private static final int CHILDREN_SYSTEM = 14;

    /** {@code USER_HZ}. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int WAKES = 300;

    private static final long WAKE_NANOS = 10_000_000;

    private Machine() {}

    static String description() throws IOException {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "%s: %s, %d processors, %s %s; load average at the start %.1f; a thread that sleeps"
                        + " for 10 ms and does nothing else takes %.0f µs of a processor each time",
                LocalDate.now(ZoneOffset.UTC),
                cpu(system.getArch()),
                system.getAvailableProcessors(),
                system.getName(),
                system.getArch(),
                system.getSystemLoadAverage(),
                wakeMicros());
    }

    /** Returns the CPU time of a sleep: the least that a periodic task costs on this machine. */
    private static double wakeMicros() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long usedNanos = 0;
        for (int i = -WAKES; i < WAKES; i++) {
            if (i == 0) {
                usedNanos = threads.getCurrentThreadCpuTime();
            }
            LockSupport.parkNanos(WAKE_NANOS);
        }
        return (threads.getCurrentThreadCpuTime() - usedNanos) / 1e3 / WAKES;
    }

    private static String cpu(String unknown) throws IOException {
        if (!Files.isReadable(CPU)) {
            return unknown;
        }
        return Files.readAllLines(CPU).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(unknown);
    }

    /**
     * Returns the CPU time of all child processes that have ended, in steps of 10 ms; NaN on
     * systems other than Linux.
     */
    static double processorSecondsOfChildren() {
        try {
            String text = Files.readString(OWN);
            // behind the name, which may contain spaces
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            long ticks =
                    Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]);
            return ticks / TICKS_PER_SECOND;
        } catch (IOException noLinux) {
            return Double.NaN;
        }
    }
}
