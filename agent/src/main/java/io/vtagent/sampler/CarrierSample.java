package io.vtagent.sampler;

import io.vtagent.hotspot.HotSpot;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a look at a carrier sees that is asleep, with {@code thread} mounted.
 *
 * @param entering whether the thread waits to enter a monitor, by what Java calls its state
 * @param nap tells one sleep of the carrier from another, when it is asked; what waits to enter may
 *     have gone on until that is found out
 * @param isThereStill whether the carrier sleeps that sleep still, or {@code thread} waits to enter
 *     still, when it is asked
 * @param moment where the carrier is, in native code or in the JVM, when it is asked
 * @param isNoticed whether a sensor has told of it by now
 * @param isAsleep whether the carrier sleeps at the moment when it is asked, and does not only wait
 *     for a processor
 */
record CarrierSample(
        Thread carrier,
        Thread thread,
        boolean entering,
        LongSupplier nap,
        BooleanSupplier isThereStill,
        Supplier<HotSpot.Moment> moment,
        BooleanSupplier isNoticed,
        BooleanSupplier isAsleep) {}
