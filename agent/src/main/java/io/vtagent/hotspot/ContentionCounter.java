package io.vtagent.hotspot;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often threads of this JVM had to wait to enter a monitor. It reads HotSpot's own
 * count, which JDK 21 keeps for {@code jcmd PerfCounter.print} and JDK 25 does not. A thread that
 * has waited adds one before it goes on; a thread that got the monitor at once or by spinning does
 * not (objectMonitor.cpp, {@code ObjectMonitor::enter}). A read takes 1 ns unless another CPU has
 * just counted; a time stamp takes 20 ns.
 *
 * <p>A wait is missed if the count is the same after it as before. For that, another thread's
 * addition must begin before the wait and end after it, and so undo the additions in between.
 * HotSpot's addition is not atomic, but it is one instruction on x86. One more case is known. With
 * the default locking of JDK 21, a thread can wait, uncounted, for another thread that loses its
 * CPU while it inflates the monitor (synchronizer.cpp, {@code read_stable_mark}).
 *
 * <p>{@link #mayHaveRisenSince} returns true until {@link #proveBy} has observed that the count
 * rises, and always if the count is not found, as with {@code -XX:-UsePerfData}. Thread-safe.
 */
public final class ContentionCounter {
    private static final String COUNTER = "sun.rt._sync_ContendedLockAttempts";

    /**
     * The offsets in the JVM's table of counters of the position of the first entry and of the
     * number of entries (perfMemory.hpp, PerfDataPrologue).
     */
    private static final int FIRST_ENTRY = 24;

    private static final int ENTRIES = 28;
    private static final int PROLOGUE_BYTES = 32;

    /**
     * The offsets in an entry of its length, and of the offsets of its name and its value
     * (perfMemory.hpp, PerfDataEntry).
     */
    private static final int LENGTH = 0;

    private static final int NAME_OFFSET = 4;
    private static final int VECTOR_LENGTH = 8;
    private static final int TYPE = 12;
    private static final int VALUE_OFFSET = 16;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long NOWHERE = 0;

    private final String name;

    /** The address of the count, once it is proved. */
    private volatile long proved = NOWHERE;

    public ContentionCounter() {
        this(COUNTER);
    }

    /**
     * @param name the name of the counter
     */
    ContentionCounter(String name) {
        this.name = name;
    }

    /** Returns the count so far, to be passed to {@link #mayHaveRisenSince}. */
    public long soFar() {
        return read(proved);
    }

    /**
     * Returns whether the current thread may have waited for a monitor since {@link #soFar}
     * returned {@code before}.
     */
    public boolean mayHaveRisenSince(long before) {
        long address = proved;
        return address == NOWHERE || read(address) != before;
    }

    /**
     * Uses the JVM's count from now on if it rises while {@code contend} makes a thread wait to
     * enter a monitor.
     *
     * @return whether it rose
     */
    public boolean proveBy(Runnable contend) {
        long address = find();
        long before = read(address);
        contend.run();
        boolean rose = read(address) != before;
        if (rose) {
            proved = address;
        }
        return rose;
    }

    private static long read(long address) {
        return address == NOWHERE ? 0 : UNSAFE.getLong(address);
    }

    private long find() {
        try {
            ByteBuffer counters = attach();
            int entry = counters == null ? -1 : find(counters);
            return counters == null || entry < 0
                    ? NOWHERE
                    : address(counters) + entry + counters.getInt(entry + VALUE_OFFSET);
        } catch (Throwable otherLayout) {
            return NOWHERE;
        }
    }

    /** Returns the JVM's own table of counters, which never moves; null if there is none. */
    private static @Nullable ByteBuffer attach() throws Throwable {
        Class<?> unused = JdkInternal.PERF.initializedType();
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Object perf = JdkInternal.PERF.handle(lookup).invoke();
        Object counters = JdkInternal.PERF_ATTACH.handle(lookup).invoke(perf, 0);
        return counters instanceof ByteBuffer buffer
                        && buffer.isDirect()
                        && buffer.capacity() > PROLOGUE_BYTES
                ? buffer.order(ByteOrder.nativeOrder())
                : null;
    }

    private int find(ByteBuffer counters) {
        int entry = counters.getInt(FIRST_ENTRY);
        for (int left = counters.getInt(ENTRIES); left > 0; left--) {
            boolean isLong =
                    counters.get(entry + TYPE) == 'J'
                            && counters.getInt(entry + VECTOR_LENGTH) == 0;
            if (isLong && isNamed(counters, entry + counters.getInt(entry + NAME_OFFSET))) {
                return entry;
            }
            entry += counters.getInt(entry + LENGTH);
        }
        return -1;
    }

    private boolean isNamed(ByteBuffer counters, int at) {
        // backwards, because most names begin alike
        if (counters.get(at + name.length()) != 0) {
            return false;
        }
        for (int i = name.length() - 1; i >= 0; i--) {
            if (counters.get(at + i) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static long address(ByteBuffer counters) {
        return UNSAFE.getLong(counters, JdkInternal.BUFFER_ADDRESS.offset());
    }
}
