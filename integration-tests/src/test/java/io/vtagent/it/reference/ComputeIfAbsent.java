package io.vtagent.it.reference;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A workload in rounds. In every round one thread computes the value, slowly, and the others wait
 * for it, in a monitor of the JDK.
 */
final class ComputeIfAbsent implements Workload {
    private static final long MILLIS = 10;

    private final ConcurrentMap<Integer, Integer> values = new ConcurrentHashMap<>();

    @Override
    public void hold(int thread, int round) {
        values.computeIfAbsent(round, ComputeIfAbsent::compute);
    }

    private static int compute(int key) {
        try {
            Thread.sleep(MILLIS);
            return key;
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }
}
