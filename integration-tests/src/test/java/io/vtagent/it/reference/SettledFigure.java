package io.vtagent.it.reference;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A figure that others add to late: what the JVM streams as events comes up to a second after the
 * fact.
 */
public final class SettledFigure {
    private static final Duration UNCHANGED = Duration.ofMillis(2_500);
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(100);

    private final LongSupplier figure;
    private long value;
    private long sinceNanos = System.nanoTime();

    private SettledFigure(LongSupplier figure) {
        this.figure = figure;
        value = figure.getAsLong();
    }

    /** The figure, once it has stayed the same for long enough. */
    public static long value(LongSupplier figure) {
        SettledFigure settled = new SettledFigure(figure);
        await("a figure that no longer changes")
                .atMost(LIMIT)
                .pollInterval(POLL)
                .until(settled::hasSettled);
        return settled.value;
    }

    private boolean hasSettled() {
        long now = figure.getAsLong();
        if (now != value) {
            value = now;
            sinceNanos = System.nanoTime();
        }
        return System.nanoTime() - sinceNanos >= UNCHANGED.toNanos();
    }
}
