package io.vtagent.demo.finding.tools;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.java21.instrument.binder.jdk.VirtualThreadMetrics;
import io.vtagent.demo.finding.PinFinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Micrometer's meters of virtual threads, which listen to the JDK's Flight Recorder. */
public final class MicrometerPins implements PinFinder {

    /** The stream brings an event up to a second late. */
    private static final long LATENESS_MILLIS = 2_000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** It listens from when it is made. */
    private @Nullable VirtualThreadMetrics metrics;

    @Override
    public boolean isFor(String variant) {
        return variant.equals("micrometer");
    }

    @Override
    public void start() {
        VirtualThreadMetrics started = new VirtualThreadMetrics();
        started.bindTo(registry);
        metrics = started;
    }

    @Override
    public Found stop() throws Exception {
        Thread.sleep(LATENESS_MILLIS);
        Objects.requireNonNull(metrics).close();
        Timer timer = registry.get("jvm.threads.virtual.pinned").timer();
        return new Found(
                List.of(new Pins("", timer.totalTime(TimeUnit.SECONDS))),
                "A timer with %d pins of at least 20 ms, and no stacks.".formatted(timer.count()));
    }
}
