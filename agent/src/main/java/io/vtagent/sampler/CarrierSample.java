package io.vtagent.sampler;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.kernel.LastRuns;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One sample of a sleeping carrier with {@code thread} mounted. The suppliers read the state at the
 * moment when they are called.
 *
 * @param entering whether the thread waits to enter a monitor, according to its Java thread state
 * @param sleepId identifies the current sleep of the carrier; a thread that waits to enter a
 *     monitor may have resumed by then
 * @param isStillBlocked whether {@code thread} is still mounted, and the carrier still in that
 *     sleep or waiting to enter
 * @param moment whether the carrier is in native code or in the JVM
 * @param isReportedByHook whether a hook has reported the pin by then
 * @param isSleeping whether the carrier sleeps, as opposed to waiting in the run queue
 * @param lastRun when the carrier was last on a CPU; null if that is not known
 */
record CarrierSample(
        Thread carrier,
        Thread thread,
        boolean entering,
        LongSupplier sleepId,
        BooleanSupplier isStillBlocked,
        Supplier<HotSpot.Moment> moment,
        BooleanSupplier isReportedByHook,
        BooleanSupplier isSleeping,
        Supplier<LastRuns.@Nullable LastRun> lastRun) {}
