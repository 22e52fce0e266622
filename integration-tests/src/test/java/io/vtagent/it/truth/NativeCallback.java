package io.vtagent.it.truth;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * A sleep in Java that native code has called: the C library sorts two numbers, and asks which is
 * greater.
 */
final class NativeCallback implements Workload {
    private static final Comparison SLOW =
            (a, b) -> {
                Awaited.block();
                return 0;
            };

    /** What {@code qsort} calls. */
    interface Comparison extends Callback {
        int compare(Pointer a, Pointer b);
    }

    @Override
    public void hold(int thread, int round) {
        try (Memory numbers = new Memory(2 * Integer.BYTES)) {
            numbers.clear();
            LibC.qsort(numbers, 2, Integer.BYTES, SLOW);
        }
    }
}
