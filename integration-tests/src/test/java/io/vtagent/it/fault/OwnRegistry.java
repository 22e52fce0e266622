package io.vtagent.it.fault;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** The application's own metrics. */
final class OwnRegistry {
    private static final SimpleMeterRegistry REGISTRY = new SimpleMeterRegistry();

    private OwnRegistry() {}

    static String add() {
        Metrics.addRegistry(REGISTRY);
        return "ok";
    }

    static long pins(String kind) {
        return REGISTRY.find("vthread.pinned").tag("kind", kind).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
