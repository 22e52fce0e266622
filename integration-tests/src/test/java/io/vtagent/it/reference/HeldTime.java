package io.vtagent.it.reference;

import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of a {@link CarrierSampler} so far, or between two points. Times are sums over all
 * carriers.
 *
 * @param nanos by what the carriers did; those that were not held are left out
 * @param runDelayNanos for how long carriers were ready to run and had no CPU, as the kernel counts
 *     it
 * @param rounds how often all carriers were sampled
 * @param lateNanos the part of the wall time between two rounds that were more than twice the
 *     period apart
 * @param cpuNanos the CPU time of the sampler's own thread
 * @param carriers the maximum of carriers at once, since the sampler began
 */
public record HeldTime(
        Map<Doing, Long> nanos,
        long runDelayNanos,
        long rounds,
        long lateNanos,
        long cpuNanos,
        int carriers) {

    /** The activity of a carrier. */
    public enum Doing {
        /** It carries no virtual thread, or it runs, or it would run if it had a CPU. */
        UNHELD,
        /** Its thread waits to enter a monitor. */
        BLOCKED,
        /** Its thread is parked, or in {@code Object.wait}. */
        WAITING,
        /**
         * Its thread blocks in the kernel, and Java does not know: native code, file I/O, class
         * initialization.
         */
        OFF_CPU,
        /** It has been woken in the kernel, but has had no CPU yet to go on. */
        WAKING
    }

    public HeldTime {
        nanos = Map.copyOf(nanos);
    }

    HeldTime since(HeldTime before) {
        Map<Doing, Long> grown = new EnumMap<>(Doing.class);
        nanos.forEach((doing, now) -> grown.put(doing, now - before.nanos(doing)));
        return new HeldTime(
                grown,
                runDelayNanos - before.runDelayNanos,
                rounds - before.rounds,
                lateNanos - before.lateNanos,
                cpuNanos - before.cpuNanos,
                carriers);
    }

    long heldNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    long nanos(Doing doing) {
        return nanos.getOrDefault(doing, 0L);
    }
}
