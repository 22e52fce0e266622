package io.vtagent.it.reference;

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
                AwaitedOperation.block();
                return 0;
            };

    /** The callback of {@code qsort}. */
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
