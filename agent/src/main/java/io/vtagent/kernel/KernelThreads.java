package io.vtagent.kernel;

import io.vtagent.hotspot.HotSpot;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a thread that Java calls runnable is on a processor, waits for one, or sleeps in the
 * kernel.
 *
 * <p>On Linux the kernel says so in {@code /proc/self/task/<tid>/status}, and {@link HotSpot} which
 * of those a thread is. Elsewhere the processor time decides alone: one that stands still between
 * two looks says "asleep", which then includes waiting for a processor.
 *
 * <p>A thread that was asleep and has used no processor time since counts as asleep, also when it
 * is on its way out. That matters since the kernel lets timers that are close expire together:
 * whoever looks wakes together with those that he looks at.
 *
 * <p>A look costs about 1 &micro;s, and 20 &micro;s more where the kernel has to be asked. For one
 * thread.
 */
public final class KernelThreads implements AutoCloseable {
    private static final File TASKS = new File("/proc/self/task");
    private static final String STATE = "\nState:\t";
    private static final String PREEMPTIONS = "\nnonvoluntary_ctxt_switches:\t";

    /** For more the JDK would allocate memory at each read. What is longer counts as unknown. */
    private static final int MAX_FILE = 1 << 13;

    private static final long UNKNOWN = -1;

    /**
     * A thread at one moment. {@code nap} tells one sleep from another of the same thread: it is
     * the processor time used before.
     */
    public record Look(boolean asleep, long nap) {}

    static final class Known {
        /**
         * Its status, kept open: to open a file takes a lock of the JDK's that the application's
         * threads need for theirs.
         */
        @Nullable RandomAccessFile status;

        String preemptions = "";
        long usedNanos = UNKNOWN;
        long asleepAtNanos = UNKNOWN;
        long waitedAtNanos = UNKNOWN;
    }

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Known> known = new WeakHashMap<>();
    private final HotSpot jvm = HotSpot.ofThisJvm();
    private final byte[] buffer = new byte[MAX_FILE];

    /**
     * Looks at {@code thread}, a carrier with a thread mounted or another that lives. While it runs
     * it is awake.
     */
    public Look at(Thread thread) {
        Known its = known.computeIfAbsent(thread, added -> new Known());
        long usedNanos = threads.getThreadCpuTime(thread.threadId());
        if (usedNanos >= 0 && usedNanos == its.asleepAtNanos) {
            return new Look(true, usedNanos); // it has not run since it was seen asleep
        }
        boolean asleep;
        if (jvm.knowsKernelIds() && usedNanos >= 0) {
            asleep = isAsleep(thread, its, usedNanos);
        } else {
            asleep = usedNanos >= 0 && usedNanos == its.usedNanos;
            its.usedNanos = usedNanos;
        }
        its.asleepAtNanos = asleep ? usedNanos : UNKNOWN;
        return new Look(asleep, usedNanos);
    }

    /** The {@link Look#nap nap} of a thread that is known to be off the processor, at less cost. */
    public long nap(Thread thread) {
        return threads.getThreadCpuTime(thread.threadId());
    }

    private boolean isAsleep(Thread thread, Known its, long usedNanos) {
        if (usedNanos == its.waitedAtNanos) {
            return false; // it still waits for a processor, as it did when it was looked at before
        }
        // of one that runs it is another time already
        if (usedNanos != threads.getThreadCpuTime(thread.threadId())) {
            return false;
        }
        if (its.status == null) {
            its.status = statusOf(thread);
        }
        RandomAccessFile status = its.status;
        if (status == null) {
            return false;
        }
        try {
            status.seek(0);
            return isAsleep(its, usedNanos, text(status.read(buffer)));
        } catch (IOException ended) {
            its.status = null;
            close(status);
            return false;
        }
    }

    private @Nullable RandomAccessFile statusOf(Thread thread) {
        try {
            long id = jvm.kernelId(thread);
            return id <= 0 ? null : new RandomAccessFile(new File(TASKS, id + "/status"), "r");
        } catch (IOException ended) {
            return null;
        }
    }

    /** Closes what it has opened of the kernel's files. */
    @Override
    public void close() {
        for (Known its : known.values()) {
            RandomAccessFile status = its.status;
            if (status != null) {
                its.status = null;
                close(status);
            }
        }
    }

    private static void close(RandomAccessFile file) {
        try {
            file.close();
        } catch (IOException closedAnyhow) {
            // it is only read from
        }
    }

    /**
     * Whether a thread sleeps, or has slept and waits for a processor. The latter is so if nobody
     * has taken the processor away from it since that was last looked up: then it has given it up
     * itself.
     */
    static boolean isAsleep(Known its, long usedNanos, String status) {
        String before = its.preemptions;
        its.preemptions = valueOf(PREEMPTIONS, status);
        if (isInSleep(valueOf(STATE, status))) {
            return true;
        }
        its.waitedAtNanos = usedNanos;
        return !before.isEmpty() && before.equals(its.preemptions);
    }

    /**
     * Whether {@code thread} sleeps in the kernel, and does not only wait for a processor; where
     * the kernel does not tell, true.
     */
    public boolean sleeps(Thread thread) {
        Known its = known.get(thread);
        RandomAccessFile status = its == null ? null : its.status;
        if (status == null) {
            return !jvm.knowsKernelIds();
        }
        try {
            status.seek(0);
            return isInSleep(valueOf(STATE, text(status.read(buffer))));
        } catch (IOException ended) {
            return false;
        }
    }

    private static boolean isInSleep(String state) {
        return state.startsWith("S") || state.startsWith("D");
    }

    private static String valueOf(String label, String status) {
        int at = status.indexOf(label);
        int from = at + label.length();
        int to = status.indexOf('\n', from);
        return at < 0 || to < 0 ? "" : status.substring(from, to);
    }

    /**
     * Processor time that the current thread has used, in nanoseconds; where that is not known, the
     * time that has passed.
     */
    public long usedNanos() {
        long usedNanos = threads.getCurrentThreadCpuTime();
        return usedNanos < 0 ? System.nanoTime() : usedNanos;
    }

    private String text(int length) {
        return new String(buffer, 0, Math.max(length, 0), StandardCharsets.US_ASCII);
    }
}
