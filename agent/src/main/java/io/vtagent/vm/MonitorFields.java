package io.vtagent.vm;

import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Where HotSpot has it in an inflated monitor who owns it and how many threads wait to enter it (objectMonitor.hpp), of 64-bit JVMs that
 * keep the monitor's address in the object's mark word, as JDK 21 to 23 do (from JDK 24 on unless {@code UseObjectMonitorTable}).
 *
 * @param owner the offset of the field that is 0 if nobody does, 8 bytes
 * @param contentions the offset of the number, 4 bytes. Negative while the monitor is being given up
 */
public record MonitorFields(long owner, long contentions) {
    /** The lock bits of a mark word that is the address of an inflated monitor, but for these bits (markWord.hpp). */
    private static final long INFLATED = 0b10;

    private static final long LOCK_BITS = 0b11;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** Null if the JVM does not tell. */
    public static @Nullable MonitorFields find() {
        long owner = VmStructs.offsetOf("ObjectMonitor", "_owner");
        long contentions = VmStructs.offsetOf("ObjectMonitor", "_contentions");
        boolean found = owner != VmStructs.NOWHERE && contentions != VmStructs.NOWHERE;
        return found && UNSAFE.addressSize() == Long.BYTES ? new MonitorFields(owner, contentions) : null;
    }

    /** Whether some thread owns {@code monitor}. False if it is not inflated. */
    public boolean isOwned(Object monitor) {
        return isInflated(monitor) && UNSAFE.getLong(address(monitor) + owner) != 0;
    }

    /** Whether some thread waits to enter {@code monitor}. False if it is not inflated. */
    public boolean isContended(Object monitor) {
        return isInflated(monitor) && UNSAFE.getInt(address(monitor) + contentions) != 0;
    }

    /** Whether {@code monitor} is of the kind that can be asked about. Only somebody who owns it or waits for it can rely on it that it stays so. */
    public static boolean isInflated(Object monitor) {
        return (markWord(monitor) & LOCK_BITS) == INFLATED;
    }

    private static long address(Object monitor) {
        return markWord(monitor) - INFLATED;
    }

    private static long markWord(Object monitor) {
        return UNSAFE.getLong(monitor, 0L);
    }
}
