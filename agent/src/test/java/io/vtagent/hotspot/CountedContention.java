package io.vtagent.hotspot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A count of contended monitor entries that only its test raises, in the JVM's table of counters:
 * HotSpot of JDK 25 has none of its own.
 */
public final class CountedContention {
    /** PerfData.U_Events, V_Monotonic (perfData.hpp). */
    private static final int EVENTS = 4;

    private static final int MONOTONIC = 2;

    private final ByteBuffer count;
    private final String name;

    public CountedContention(String name) {
        this.name = name;
        count = counter(name).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer counter(String name) {
        try {
            Class<?> type = Class.forName("jdk.internal.perf.Perf");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Object perf = lookup.findStatic(type, "getPerf", MethodType.methodType(type)).invoke();
            MethodType create =
                    MethodType.methodType(
                            ByteBuffer.class, String.class, int.class, int.class, long.class);
            return (ByteBuffer)
                    lookup.findVirtual(type, "createLong", create)
                            .invoke(perf, name, MONOTONIC, EVENTS, 0L);
        } catch (Throwable unknown) {
            throw new LinkageError("this JVM does not let a counter be made", unknown);
        }
    }

    public void rise() {
        count.putLong(0, count.getLong(0) + 1);
    }

    /** What reads this count, which is not proved yet. */
    public ContentionCounter unproved() {
        return new ContentionCounter(name);
    }

    /** What reads this count. */
    public ContentionCounter proved() {
        ContentionCounter reads = unproved();
        if (!reads.proveBy(this::rise)) {
            throw new AssertionError("the count is not found");
        }
        return reads;
    }
}
