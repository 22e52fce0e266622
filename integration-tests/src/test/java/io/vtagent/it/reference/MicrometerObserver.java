package io.vtagent.it.reference;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.java21.instrument.binder.jdk.VirtualThreadMetrics;
import java.util.concurrent.TimeUnit;

/** The timer of a plain {@code new VirtualThreadMetrics()}. */
final class MicrometerObserver implements Observer {
    private static final String PINNED = "jvm.threads.virtual.pinned";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final VirtualThreadMetrics metrics = new VirtualThreadMetrics();

    MicrometerObserver() {
        metrics.bindTo(registry);
    }

    @Override
    public long heldNanos() {
        return SettledFigure.value(
                () -> (long) registry.get(PINNED).timer().totalTime(TimeUnit.NANOSECONDS));
    }

    @Override
    public void close() {
        metrics.close();
    }
}
