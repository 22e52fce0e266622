package io.vtagent.exporter;

import io.vtagent.report.PinReport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to publish in each second. While the JVM is idle, the agent measures only in some
 * seconds. After a longer idle period it publishes nothing in the other seconds, because code that
 * runs once a second is cold each time. For one thread.
 */
final class PublishSchedule {
    /**
     * While the JVM is idle, the agent measures in one second of this many; in the others it
     * repeats the previous report.
     */
    static final int REST = 10;

    /**
     * After this many idle seconds nothing is published in those other seconds, unless a client
     * waits for each second.
     */
    static final int CALM = 60;

    private final Supplier<PinReport> measuring;
    private final LongSupplier uptimeNanos;
    private final BooleanSupplier isAtRest;
    private final BooleanSupplier isAwaited;

    private @Nullable PinReport newest;
    private long seconds;
    private long rested;

    /**
     * @param measuring makes a new report
     * @param isAtRest whether nothing has happened since its last call
     * @param isAwaited whether a client waits for the next second
     */
    PublishSchedule(
            Supplier<PinReport> measuring,
            LongSupplier uptimeNanos,
            BooleanSupplier isAtRest,
            BooleanSupplier isAwaited) {
        this.measuring = measuring;
        this.uptimeNanos = uptimeNanos;
        this.isAtRest = isAtRest;
        this.isAwaited = isAwaited;
    }

    /**
     * Returns the report to publish now, one second after the previous call; null to publish
     * nothing.
     */
    @Nullable PinReport next() {
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
