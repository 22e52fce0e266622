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
 * Distinguishes runnable Java threads that run on a CPU from those in the run queue and those that
 * sleep in the kernel.
 *
 * <p>On Linux the kernel reports that in {@code /proc/self/task/<tid>/status}, and {@link HotSpot}
 * reports the thread's kernel id. Elsewhere only the CPU time is known: if it does not change
 * between two samples, the thread counts as sleeping, even if it waits in the run queue.
 *
 * <p>A thread that was sleeping and has used no CPU time since counts as sleeping, even if it is
 * about to resume. This matters because the kernel lets timers that are close expire together, so
 * that the sampler wakes together with the threads that it samples.
 *
 * <p>A sample costs about 1 &micro;s, and 20 &micro;s more if the kernel has to be asked. For one
 * thread.
 */
public final class KernelThreads implements AutoCloseable {
    private static final String STATE = "\nState:\t";
    private static final String PREEMPTIONS = "\nnonvoluntary_ctxt_switches:\t";

    /**
     * The size of the buffer. For a larger one the JDK would allocate memory at each read. The part
     * of a file that does not fit counts as unknown.
     */
    private static final int MAX_FILE = 1 << 13;

    private static final long UNKNOWN = -1;

    /**
     * A thread at one moment.
     *
     * @param sleepId identifies the sleep among those of the same thread: the CPU time that the
     *     thread had used before
     */
    public record Sample(boolean sleeping, long sleepId) {}

    static final class Known {
        /**
         * The thread's status file. It is kept open, because opening a file takes a lock of the
         * JDK's that the application's threads need for their files.
         */
        @Nullable RandomAccessFile status;

        String preemptions = "";
        long usedNanos = UNKNOWN;
        long sleepingAtNanos = UNKNOWN;
        long queuedAtNanos = UNKNOWN;
    }

    private final ThreadMXBean threads;
    private final File tasks;
    private final Map<Thread, Known> known = new WeakHashMap<>();
    private final HotSpot jvm = HotSpot.ofThisJvm();
    private final byte[] buffer = new byte[MAX_FILE];

    public KernelThreads() {
        this(ManagementFactory.getThreadMXBean(), new File("/proc/self/task"));
    }

    /**
     * @param threads returns the CPU times of threads
     * @param tasks has the kernel's directories of all threads
     */
    KernelThreads(ThreadMXBean threads, File tasks) {
        this.threads = threads;
        this.tasks = tasks;
    }

    /**
     * Samples {@code thread}, a carrier with a mounted thread or any other live thread. A running
     * thread is not sleeping.
     */
    public Sample at(Thread thread) {
        Known its = known.computeIfAbsent(thread, added -> new Known());
        long usedNanos = threads.getThreadCpuTime(thread.threadId());
        if (usedNanos >= 0 && usedNanos == its.sleepingAtNanos) {
            return new Sample(true, usedNanos); // it has not run since it was sleeping
        }
        boolean sleeping;
        if (jvm.knowsKernelIds() && usedNanos >= 0) {
            sleeping = isSleeping(thread, its, usedNanos);
        } else {
            sleeping = usedNanos >= 0 && usedNanos == its.usedNanos;
            its.usedNanos = usedNanos;
        }
        its.sleepingAtNanos = sleeping ? usedNanos : UNKNOWN;
        return new Sample(sleeping, usedNanos);
    }

    /**
     * Returns the {@link Sample#sleepId sleepId} of a thread that is known to be off-CPU, at less
     * cost than {@link #at}.
     */
    public long sleepId(Thread thread) {
        return threads.getThreadCpuTime(thread.threadId());
    }

    private boolean isSleeping(Thread thread, Known its, long usedNanos) {
        if (usedNanos == its.queuedAtNanos) {
            return false; // it is still in the run queue, as at the previous sample
        }
        // the CPU time of a running thread has changed already
        if (usedNanos != threads.getThreadCpuTime(thread.threadId())) {
            return false;
        }
        String status = status(its, thread);
        return !status.isEmpty() && isSleeping(its, usedNanos, status);
    }

    /** Returns the content of the thread's status file; empty if it is unknown or has ended. */
    private String status(Known its, Thread thread) {
        if (its.status == null) {
            its.status = statusOf(thread);
        }
        RandomAccessFile file = its.status;
        if (file == null) {
            return "";
        }
        try {
            file.seek(0);
            return text(file.read(buffer));
        } catch (IOException ended) {
            its.status = null;
            close(file);
            return "";
        }
    }

    private @Nullable RandomAccessFile statusOf(Thread thread) {
        try {
            long id = jvm.kernelId(thread);
            return id <= 0 ? null : new RandomAccessFile(new File(tasks, id + "/status"), "r");
        } catch (IOException ended) {
            return null;
        }
    }

    /** Closes the kernel's files that were opened. */
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
            // it was only read
        }
    }

    /**
     * Returns whether a thread sleeps, or has slept and waits in the run queue. The latter is the
     * case if the thread has not been preempted since the previous sample, because then it has
     * given up the CPU itself.
     */
    static boolean isSleeping(Known its, long usedNanos, String status) {
        String before = its.preemptions;
        its.preemptions = valueOf(PREEMPTIONS, status);
        if (isInSleep(valueOf(STATE, status))) {
            return true;
        }
        its.queuedAtNanos = usedNanos;
        return !before.isEmpty() && before.equals(its.preemptions);
    }

    /**
     * Returns whether {@code thread} sleeps in the kernel, as opposed to waiting in the run queue;
     * true if the kernel does not report that.
     */
    public boolean sleeps(Thread thread) {
        return !jvm.knowsKernelIds() || isInSleep(stateOf(thread));
    }

    /**
     * Returns whether {@code thread} is on a CPU or in the run queue; false if the kernel does not
     * report that.
     */
    public boolean isRunnable(Thread thread) {
        return jvm.knowsKernelIds() && stateOf(thread).startsWith("R");
    }

    /** Returns the kernel's state of {@code thread}; empty if it is unknown. */
    private String stateOf(Thread thread) {
        Known its = known.computeIfAbsent(thread, added -> new Known());
        return valueOf(STATE, status(its, thread));
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
     * Returns the CPU time that the current thread has used, in nanoseconds; the elapsed time if
     * that is not known.
     */
    public long usedNanos() {
        long usedNanos = threads.getCurrentThreadCpuTime();
        return usedNanos < 0 ? System.nanoTime() : usedNanos;
    }

    private String text(int length) {
        return new String(buffer, 0, Math.max(length, 0), StandardCharsets.US_ASCII);
    }
}
