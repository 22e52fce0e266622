package io.vtagent.hotspot;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.jvm.VmStructs;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The offsets in an inflated monitor of its owner and of the number of threads that wait to enter
 * it (objectMonitor.hpp). Only for 64-bit JVMs that keep the monitor's address in the object's mark
 * word, as JDK 21 to 23 do (JDK 24 and later do unless {@code UseObjectMonitorTable} is set).
 *
 * @param owner the offset of the owner, 8 bytes, 0 if there is none
 * @param contentions the offset of the number, 4 bytes, negative while the monitor is being given
 *     up
 */
public record MonitorFields(long owner, long contentions) {
    /**
     * The lock bits of a mark word that is otherwise the address of an inflated monitor
     * (markWord.hpp).
     */
    private static final long INFLATED = 0b10;

    private static final long LOCK_BITS = 0b11;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /**
     * Finds the offsets; returns null if the JVM does not provide them.
     *
     * @param mostBytes the limit that both offsets must be below
     */
    public static @Nullable MonitorFields find(long mostBytes) {
        if (UNSAFE.addressSize() != Long.BYTES) {
            return null;
        }
        long owner = VmStructs.offsetOf(JdkInternal.VM_MONITOR_OWNER);
        long contentions = VmStructs.offsetOf(JdkInternal.VM_MONITOR_CONTENTIONS);
        return isWithin(mostBytes, owner) && isWithin(mostBytes, contentions)
                ? new MonitorFields(owner, contentions)
                : null;
    }

    private static boolean isWithin(long mostBytes, long offset) {
        return offset != VmStructs.NOWHERE && offset > 0 && offset < mostBytes;
    }

    /**
     * Returns whether a thread waits to enter {@code monitor}; false if it is not inflated. The
     * current thread must own the monitor, so that it stays inflated.
     */
    public boolean isContended(Object monitor) {
        long mark = UNSAFE.getLong(monitor, 0L);
        return (mark & LOCK_BITS) == INFLATED
                && UNSAFE.getInt(null, mark - INFLATED + contentions) != 0;
    }
}
