package io.vtagent.sampler;

import io.vtagent.kernel.LastRuns.LastRun;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The start of a sampled pin, as the kernel reports it, from which its end can be found.
 *
 * @param lastRun when the carrier last ran before it slept
 * @param newestRun returns when it last ran; null if that is not known
 * @param firstSampleNanos when the pin was sampled first, as {@link System#nanoTime}
 * @param isCounted whether the pin counts from this start. If so, it stays: the clock of a CPU
 *     drifts, so the earliest conversion is the best one
 */
record PinStart(
        LastRun lastRun,
        Supplier<@Nullable LastRun> newestRun,
        long firstSampleNanos,
        boolean isCounted) {
    /**
     * Returns {@code pin}, whose start this is, counted from it if the clock of the carrier's CPU
     * is known by now.
     */
    SampledPin begun(SampledPin pin) {
        Long atNanos = isCounted ? null : lastRun.atNanos().get();
        return atNanos == null
                ? pin
                : pin.withStart(
                        new PinStart(lastRun, newestRun, firstSampleNanos, true),
                        pin.time().begunBefore(firstSampleNanos - atNanos));
    }

    /**
     * Returns when the pin, which has ended, did so, as {@link System#nanoTime}; null if that is
     * not known.
     */
    @Nullable Long endNanos() {
        LastRun newest = newestRun.get();
        return newest == null ? null : newest.endOfSleep(lastRun);
    }
}
