package io.vtagent.vm;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a thread that Java calls runnable is on a processor, waits for one, or sleeps in the kernel.
 *
 * <p>On Linux the kernel says so in {@code /proc/self/task/<tid>/stat}. Java does not tell the {@code tid} of a thread, but the
 * processor time that a thread has used, in nanoseconds, is the same to {@link ThreadMXBean} and in {@code schedstat}, and stands
 * still while it sleeps: that finds it. Elsewhere the processor time decides alone: one that stands still between two looks says
 * "asleep", which then includes waiting for a processor.
 *
 * <p>A look costs about 5 &micro;s on Linux and 1 &micro;s elsewhere. For one thread.
 */
public final class KernelThreads {
    private static final File TASKS = new File("/proc/self/task");
    private static final boolean TELLS_TIMES = new File("/proc/self/schedstat").exists();
    private static final int LONGEST_STAT = 1024;

    /** A thread at one moment. {@code nap} tells one sleep from another of the same thread. */
    public record Look(boolean asleep, long nap) {}

    private static final class Known {
        @Nullable
        File task;

        long processorNanos = -1;
    }

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Known> known = new WeakHashMap<>();
    private final byte[] buffer = new byte[LONGEST_STAT];

    /** Looks at {@code thread}. A thread that runs when it is first looked at is found by the kernel's name later, when it sleeps. */
    public Look at(Thread thread) {
        Known its = known.computeIfAbsent(thread, added -> new Known());
        File task = its.task;
        if (task != null) {
            try {
                String state = read(new File(task, "stat"));
                return new Look(isAsleep(state), timesOnProcessor(read(new File(task, "schedstat"))));
            } catch (IOException ended) {
                its.task = null;
            }
        }
        long processorNanos = threads.getThreadCpuTime(thread.threadId());
        boolean still = processorNanos >= 0 && (processorNanos == its.processorNanos || its.processorNanos < 0);
        its.processorNanos = processorNanos;
        if (!still || !TELLS_TIMES) {
            return new Look(still, processorNanos);
        }
        its.task = find(processorNanos);
        return its.task == null ? new Look(false, 0) : at(thread);
    }

    /** Processor time that the current thread has used, in nanoseconds; where that is not known, the time that has passed. */
    public long usedNanos() {
        long usedNanos = threads.getCurrentThreadCpuTime();
        return usedNanos < 0 ? System.nanoTime() : usedNanos;
    }

    private @Nullable File find(long processorNanos) {
        File[] tasks = TASKS.listFiles();
        File found = null;
        for (File task : tasks == null ? new File[0] : tasks) {
            try {
                String times = read(new File(task, "schedstat"));
                if (Long.parseLong(times.substring(0, times.indexOf(' '))) == processorNanos) {
                    if (found != null) {
                        return null; // they will differ next time
                    }
                    found = task;
                }
            } catch (IOException ended) {
                // not the one
            }
        }
        return found;
    }

    /** The state is the first letter behind the name, which is in parentheses and may contain anything. */
    private static boolean isAsleep(String stat) {
        char state = stat.charAt(stat.lastIndexOf(')') + 2);
        return state == 'S' || state == 'D';
    }

    private static long timesOnProcessor(String schedstat) {
        return Long.parseLong(
                schedstat.substring(schedstat.lastIndexOf(' ') + 1).strip());
    }

    private String read(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            int length = Math.max(in.read(buffer), 0);
            return new String(buffer, 0, length, StandardCharsets.US_ASCII);
        }
    }
}
