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

    /**
     * Null if the JVM does not tell.
     *
     * @param mostBytes beyond which no field is looked for
     */
    public static @Nullable MonitorFields find(long mostBytes) {
        if (UNSAFE.addressSize() != Long.BYTES) {
            return null;
        }
        long owner = VmStructs.offsetOf("ObjectMonitor", "_owner");
        long contentions = VmStructs.offsetOf("ObjectMonitor", "_contentions");
        return isWithin(mostBytes, owner) && isWithin(mostBytes, contentions)
                ? new MonitorFields(owner, contentions)
                : null;
    }

    private static boolean isWithin(long mostBytes, long offset) {
        return offset != VmStructs.NOWHERE && offset > 0 && offset < mostBytes;
    }

    /** Whether some thread waits to enter {@code monitor}, which the current thread owns, so that it stays as it is. False if it is not inflated. */
    public boolean isContended(Object monitor) {
        long mark = UNSAFE.getLong(monitor, 0L);
        return (mark & LOCK_BITS) == INFLATED && UNSAFE.getInt(null, mark - INFLATED + contentions) != 0;
    }
}
