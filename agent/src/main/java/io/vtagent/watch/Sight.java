package io.vtagent.watch;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a look at a carrier sees that is asleep, with {@code thread} mounted.
 *
 * @param entering whether the thread waits to enter a monitor, by what Java calls its state
 * @param nap tells one sleep of the carrier from another, when it is asked; what waits to enter may have gone on until that is found out
 * @param isThereStill whether the carrier sleeps that sleep still, or {@code thread} waits to enter still, when it is asked
 * @param isInNativeCode whether it is in native code and not in the JVM, when it is asked
 * @param isNoticed whether a sensor has told of it by now
 * @param isAsleep whether the carrier sleeps at the moment when it is asked, and does not only wait for a processor
 */
record Sight(
        Thread carrier,
        Thread thread,
        boolean entering,
        LongSupplier nap,
        BooleanSupplier isThereStill,
        BooleanSupplier isInNativeCode,
        BooleanSupplier isNoticed,
        BooleanSupplier isAsleep) {}
