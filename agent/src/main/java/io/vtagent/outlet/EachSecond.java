package io.vtagent.outlet;

import io.vtagent.report.PinReport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to tell in each second. While nothing happens it is measured now and then only, and when nothing has happened for a while nobody
 * is told in between: code that runs once a second is cold each time. For one thread.
 */
final class EachSecond {
    /** While nothing happens it is measured in one second of so many, and in the others the same as before. */
    static final int REST = 10;

    /** When nothing has happened for so many seconds, those others are not told, unless somebody waits for each of them. */
    static final int CALM = 60;

    private final Supplier<PinReport> measuring;
    private final LongSupplier uptimeNanos;
    private final BooleanSupplier isAtRest;
    private final BooleanSupplier isAwaited;

    private @Nullable PinReport newest;
    private long seconds;
    private long rested;

    /**
     * @param measuring what there is to tell
     * @param isAtRest whether nothing has happened since it was asked last
     * @param isAwaited whether somebody waits for the next second
     */
    EachSecond(
            Supplier<PinReport> measuring,
            LongSupplier uptimeNanos,
            BooleanSupplier isAtRest,
            BooleanSupplier isAwaited) {
        this.measuring = measuring;
        this.uptimeNanos = uptimeNanos;
        this.isAtRest = isAtRest;
        this.isAwaited = isAwaited;
    }

    /** What to tell now, which is one second after this was asked last; null if nothing is. */
    @Nullable
    PinReport next() {
        PinReport before = newest;
        boolean isDue = seconds++ % REST == 0;
        boolean rests = isAtRest.getAsBoolean();
        rested = rests ? rested + 1 : 0;
        if (before != null && rests && !isDue) {
            if (rested > CALM && !isAwaited.getAsBoolean()) {
                return null;
            }
            newest = before.later(uptimeNanos.getAsLong());
        } else {
            newest = measuring.get();
        }
        return newest;
    }
}
