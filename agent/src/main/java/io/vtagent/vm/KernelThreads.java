package io.vtagent.vm;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a thread that Java calls runnable is on a processor, waits for one, or sleeps in the kernel.
 *
 * <p>On Linux the kernel says so in {@code /proc/self/task/<tid>/status}. Java does not tell the {@code tid} of a thread, but the
 * processor time that a thread has used, in nanoseconds, is the same to {@link ThreadMXBean} and in {@code schedstat}, and stands
 * still while it sleeps: that finds it. Elsewhere the processor time decides alone: one that stands still between two looks says
 * "asleep", which then includes waiting for a processor.
 *
 * <p>A thread that was asleep and has used no processor time since counts as asleep, also when it is on its way out. That matters
 * since the kernel lets timers that are close expire together: whoever looks wakes together with those that he looks at.
 *
 * <p>A look costs about 1 &micro;s, and 20 &micro;s more where the kernel has to be asked. For one thread.
 */
public final class KernelThreads {
    private static final File TASKS = new File("/proc/self/task");
    private static final boolean TELLS_TIMES = new File("/proc/self/schedstat").exists();
    private static final String STATE = "\nState:\t";
    private static final String PREEMPTIONS = "\nnonvoluntary_ctxt_switches:\t";
    /** For more the JDK would allocate memory at each read. What is longer counts as unknown. */
    private static final int LONGEST_FILE = 1 << 13;

    private static final long UNKNOWN = -1;
    private static final int MANY_SEARCHES = 20;

    /** A thread at one moment. {@code nap} tells one sleep from another of the same thread: it is the processor time used before. */
    public record Look(boolean asleep, long nap) {}

    static final class Known {
        /** Its status, kept open: to open a file takes a lock of the JDK's that the application's threads need for theirs. */
        @Nullable
        RandomAccessFile status;

        String preemptions = "";
        long usedNanos = UNKNOWN;
        long asleepAtNanos = UNKNOWN;
        long waitedAtNanos = UNKNOWN;
        int searches;

        /** At first always, later now and then. */
        boolean isWorthASearch() {
            searches++;
            return searches < MANY_SEARCHES || searches % MANY_SEARCHES == 0;
        }
    }

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Known> known = new WeakHashMap<>();
    private final byte[] buffer = new byte[LONGEST_FILE];

    /** Looks at {@code thread}. While it runs it is not searched for, and is awake. */
    public Look at(Thread thread) {
        Known its = known.computeIfAbsent(thread, added -> new Known());
        long usedNanos = threads.getThreadCpuTime(thread.threadId());
        if (usedNanos >= 0 && usedNanos == its.asleepAtNanos) {
            return new Look(true, usedNanos); // it has not run since it was seen asleep
        }
        boolean asleep;
        if (TELLS_TIMES && usedNanos >= 0) {
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
        if (its.status == null && its.isWorthASearch()) {
            its.status = statusOf(find(thread, usedNanos));
            if (usedNanos != threads.getThreadCpuTime(thread.threadId())) {
                return false; // it has run meanwhile: what was known of it is over
            }
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

    private static @Nullable RandomAccessFile statusOf(@Nullable File task) {
        try {
            return task == null ? null : new RandomAccessFile(new File(task, "status"), "r");
        } catch (IOException ended) {
            return null;
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
     * Whether a thread sleeps, or has slept and waits for a processor. The latter is so if nobody has taken the processor away
     * from it since that was last looked up: then it has given it up itself.
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

    /** Whether {@code thread} sleeps in the kernel, and does not only wait for a processor; where the kernel does not tell, true. */
    public boolean sleeps(Thread thread) {
        Known its = known.get(thread);
        RandomAccessFile status = its == null ? null : its.status;
        if (status == null) {
            return !TELLS_TIMES;
        }
        try {
            status.seek(0);
            return isInSleep(valueOf(STATE, text(status.read(buffer))));
        } catch (IOException ended) {
            return false;
        }
    }

    /**
     * Whether {@code thread} is in native code, and not in Java or the JVM ({@link ThreadInfo#isInNative}: {@code _thread_in_native} of
     * javaThread.hpp). A call by {@code java.lang.foreign} is native code too, unless it is linked as critical ({@code
     * Linker.Option.critical}). Costs 1 to 2 &micro;s, 20 to 50 where its code is cold, and stops nobody.
     */
    public boolean isInNativeCode(Thread thread) {
        ThreadInfo info = threads.getThreadInfo(thread.threadId());
        return info != null && info.isInNative();
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

    /** Processor time that the current thread has used, in nanoseconds; where that is not known, the time that has passed. */
    public long usedNanos() {
        long usedNanos = threads.getCurrentThreadCpuTime();
        return usedNanos < 0 ? System.nanoTime() : usedNanos;
    }

    /** It may run for moments meanwhile: whoever has come as far in that time is read once more. */
    private @Nullable File find(Thread thread, long fromNanos) {
        File[] tasks = TASKS.listFiles();
        long[] usedNanos = new long[tasks == null ? 0 : tasks.length];
        for (int i = 0; i < usedNanos.length; i++) {
            usedNanos[i] = usedNanos(tasks[i]);
        }
        long toNanos = threads.getThreadCpuTime(thread.threadId());
        for (int i = 0; i < usedNanos.length; i++) {
            if (usedNanos[i] >= fromNanos && usedNanos[i] <= toNanos && isOf(thread, tasks[i])) {
                return tasks[i];
            }
        }
        return null;
    }

    private boolean isOf(Thread thread, File task) {
        long before = threads.getThreadCpuTime(thread.threadId());
        return before >= 0 && usedNanos(task) == before && threads.getThreadCpuTime(thread.threadId()) == before;
    }

    private long usedNanos(File task) {
        try {
            String times = read(new File(task, "schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (IOException ended) {
            return UNKNOWN;
        }
    }

    private String read(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            return text(in.read(buffer));
        }
    }

    private String text(int length) {
        return new String(buffer, 0, Math.max(length, 0), StandardCharsets.US_ASCII);
    }
}
