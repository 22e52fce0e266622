package io.vtagent.watch;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a look at a carrier sees that is asleep, with {@code thread} mounted.
 *
 * @param entering whether the thread waits to enter a monitor, by what Java calls its state
 * @param nap tells one sleep of the carrier from another
 * @param napAgain the same, asked for anew
 * @param isAsleep whether the carrier sleeps at the moment when it is asked, and does not only wait for a processor
 */
record Sight(
        Thread carrier, Thread thread, boolean entering, long nap, LongSupplier napAgain, BooleanSupplier isAsleep) {}
