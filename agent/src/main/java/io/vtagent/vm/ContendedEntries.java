package io.vtagent.vm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * How often a thread of this JVM had to wait to enter a monitor, as HotSpot of JDK 21 counts it for {@code jcmd PerfCounter.print} (that of
 * JDK 25 does not): a thread that has waited adds one before it goes on, one that got the monitor at once or by spinning does not
 * (objectMonitor.cpp, {@code ObjectMonitor::enter}). To read it takes 1 ns unless another processor has just counted, where a time stamp
 * takes 20.
 *
 * <p>A wait is missed if the count is the same after it as before. That takes a thread that began to add before the wait and ended after it,
 * which would undo what others have added: HotSpot does not add atomically, but in one instruction on x86. One more case is known: with
 * the locking that JDK 21 has by default a thread can wait, uncounted, for another one that has lost its processor while it inflates the
 * monitor (synchronizer.cpp, {@code read_stable_mark}).
 *
 * <p>Nothing is taken for granted: until it {@link #proveBy was seen to count}, and where it is not found, as with {@code -XX:-UsePerfData}, every
 * thread may have waited. Thread-safe.
 */
public final class ContendedEntries {
    private static final String COUNTER = "sun.rt._sync_ContendedLockAttempts";

    /** Where the JVM's table of counters says where they begin and how many there are (perfMemory.hpp, PerfDataPrologue). */
    private static final int FIRST_ENTRY = 24;

    private static final int ENTRIES = 28;
    private static final int PROLOGUE_BYTES = 32;
    /** Where an entry has its length, and where in it are its name and its value (perfMemory.hpp, PerfDataEntry). */
    private static final int LENGTH = 0;

    private static final int NAME_OFFSET = 4;
    private static final int VECTOR_LENGTH = 8;
    private static final int TYPE = 12;
    private static final int VALUE_OFFSET = 16;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long NOWHERE = 0;

    private final String name;
    /** Where the count is, as soon as it is proved. */
    private volatile long proved = NOWHERE;

    public ContendedEntries() {
        this(COUNTER);
    }

    /** @param name of the counter */
    ContendedEntries(String name) {
        this.name = name;
    }

    /** How many so far; what {@link #mayHaveRisenSince} is to be given. */
    public long soFar() {
        return read(proved);
    }

    /** Whether the current thread may have waited for a monitor since {@link #soFar} gave {@code before}. */
    public boolean mayHaveRisenSince(long before) {
        long address = proved;
        return address == NOWHERE || read(address) != before;
    }

    /**
     * Believes the JVM's count from now on if it rises while {@code contend} has a thread wait to enter a monitor.
     *
     * @return whether it did
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

    /** The JVM's own table of counters; it stays where it is. Null if there is none. */
    private static @Nullable ByteBuffer attach() throws Throwable {
        Class<?> type = Class.forName("jdk.internal.perf.Perf");
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Object perf =
                lookup.findStatic(type, "getPerf", MethodType.methodType(type)).invoke();
        Object counters = lookup.findVirtual(type, "attach", MethodType.methodType(ByteBuffer.class, int.class))
                .invoke(perf, 0);
        return counters instanceof ByteBuffer buffer && buffer.isDirect() && buffer.capacity() > PROLOGUE_BYTES
                ? buffer.order(ByteOrder.nativeOrder())
                : null;
    }

    private int find(ByteBuffer counters) {
        int entry = counters.getInt(FIRST_ENTRY);
        for (int left = counters.getInt(ENTRIES); left > 0; left--) {
            boolean isLong = counters.get(entry + TYPE) == 'J' && counters.getInt(entry + VECTOR_LENGTH) == 0;
            if (isLong && isNamed(counters, entry + counters.getInt(entry + NAME_OFFSET))) {
                return entry;
            }
            entry += counters.getInt(entry + LENGTH);
        }
        return -1;
    }

    private boolean isNamed(ByteBuffer counters, int at) {
        // from behind: most names begin in the same way
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
        return UNSAFE.getLong(counters, UNSAFE.objectFieldOffset(Buffer.class, "address"));
    }
}
