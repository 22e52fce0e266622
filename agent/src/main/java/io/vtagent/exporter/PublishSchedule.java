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
    static final int IDLE_INTERVAL_SECONDS = 10;

    /**
     * After this many idle seconds nothing is published in those other seconds, unless a client
     * waits for each second.
     */
    static final int IDLE_AFTER_SECONDS = 60;

    private final Supplier<PinReport> measuring;
    private final LongSupplier uptimeNanos;
    private final BooleanSupplier isIdle;
    private final BooleanSupplier isAwaited;

    private @Nullable PinReport newest;
    private long seconds;
    private long idleSeconds;

    /**
     * @param measuring makes a new report
     * @param isIdle whether nothing has happened since its last call
     * @param isAwaited whether a client waits for the next second
     */
    PublishSchedule(
            Supplier<PinReport> measuring,
            LongSupplier uptimeNanos,
            BooleanSupplier isIdle,
            BooleanSupplier isAwaited) {
        this.measuring = measuring;
        this.uptimeNanos = uptimeNanos;
        this.isIdle = isIdle;
        this.isAwaited = isAwaited;
    }

    /**
     * Returns the report to publish now, one second after the previous call; null to publish
     * nothing.
     */
    @Nullable PinReport next() {
        PinReport before = newest;
        boolean isDue = seconds++ % IDLE_INTERVAL_SECONDS == 0;
        boolean idle = isIdle.getAsBoolean();
        idleSeconds = idle ? idleSeconds + 1 : 0;
        if (before != null && idle && !isDue) {
            if (idleSeconds > IDLE_AFTER_SECONDS && !isAwaited.getAsBoolean()) {
                return null;
            }
            newest = before.later(uptimeNanos.getAsLong());
        } else {
            newest = measuring.get();
        }
        return newest;
    }
}
