package io.vtagent.kernel;

import io.vtagent.hotspot.HotSpot;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * CPU time and run queue delay of any Java platform thread, from {@code
 * /proc/self/task/<tid>/schedstat}. Run queue delay includes the time for which a quota throttles
 * the thread. The kernel adds the delay of a queued thread when it runs again.
 *
 * <p>A read opens and closes the file, so that no file stays open, and costs about 10 &micro;s.
 * {@link #idOf} is for the sampler's thread, {@link #read} for any.
 */
public final class ThreadSchedStat {
    private static final File TASKS = new File("/proc/self/task");
    private static final File OWN = new File("/proc/thread-self/schedstat");
    private static final int LENGTH = 96;

    /** The id of a thread that the JVM does not report. */
    public static final long UNKNOWN = 0;

    private ThreadSchedStat() {}

    /** The times of a thread since it began, in nanoseconds. */
    public record Times(long ranNanos, long queuedNanos) {}

    /** Returns whether the system reports these times. */
    public static boolean isAvailable() {
        Times own = read(OWN);
        return own != null && own.ranNanos > 0; // all 0 if the kernel was built without them
    }

    /** Returns the kernel's id of {@code thread}, or {@link #UNKNOWN}. */
    public static long idOf(Thread thread) {
        HotSpot jvm = HotSpot.ofThisJvm();
        return jvm.knowsKernelIds() ? Math.max(jvm.kernelId(thread), UNKNOWN) : UNKNOWN;
    }

    /** Returns the times of the thread with that id; null if it has ended. */
    public static @Nullable Times read(long id) {
        return read(new File(TASKS, id + "/schedstat"));
    }

    private static @Nullable Times read(File file) {
        byte[] text = new byte[LENGTH];
        try (FileInputStream in = new FileInputStream(file)) {
            return parse(
                    new String(text, 0, Math.max(in.read(text), 0), StandardCharsets.US_ASCII));
        } catch (IOException ended) {
            return null;
        }
    }

    /** Returns the first two numbers of {@code text}; null if there are none. */
    static @Nullable Times parse(String text) {
        String[] numbers = text.strip().split(" ", -1);
        try {
            return numbers.length < 2
                    ? null
                    : new Times(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        } catch (NumberFormatException unknown) {
            return null;
        }
    }
}
