package io.vtagent.it.truth;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a {@link CarrierSampler} has seen so far, or between two points. Times are sums over all
 * carriers.
 *
 * @param nanos by what the carriers did; those that were not held are left out
 * @param runDelayNanos for how long carriers were ready to run and had no processor, as the kernel
 *     counts it
 * @param rounds how often all carriers were looked at
 * @param lateNanos the part of the wall time between two rounds that were more than twice the
 *     period apart
 * @param cpuNanos what the sampler's own thread used of a processor
 * @param carriers the most carriers at once, since the sampler began
 */
public record HeldTime(
        Map<Doing, Long> nanos,
        long runDelayNanos,
        long rounds,
        long lateNanos,
        long cpuNanos,
        int carriers) {

    /** What a carrier is doing. */
    public enum Doing {
        /** It carries nobody, or it runs, or it would run if it had a processor. */
        UNHELD,
        /** Its thread waits to enter a monitor. */
        BLOCKED,
        /** Its thread is parked, or in {@code Object.wait}. */
        WAITING,
        /**
         * Its thread blocks in the kernel, and Java does not know: native code, file I/O, class
         * initialization.
         */
        ASLEEP,
        /** What it slept for in the kernel has come, but it had no processor yet to go on. */
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
