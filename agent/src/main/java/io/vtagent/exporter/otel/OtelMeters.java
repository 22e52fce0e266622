package io.vtagent.exporter.otel;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.exporter.http.MicrometerLog;
import io.vtagent.log.AgentLog;
import io.vtagent.metrics.AgentMeterBinder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's meters as asynchronous instruments of OpenTelemetry's SDK, which reads them when it
 * collects, on a thread of its own. A timer is a counter of durations, a counter of their sum and,
 * if the agent knows it, a gauge of the longest one. One thread registers and closes; {@link #get}
 * is thread-safe by one lock.
 */
public final class OtelMeters
        implements Supplier<Map<String, Map<Map<String, String>, Double>>>, AutoCloseable {
    private static final String SECONDS = "seconds";

    private final OtelSdk sdk;
    private final AgentMeterBinder meters;
    private final Runnable beforeRead;
    private final SimpleMeterRegistry registry;
    private volatile Map<String, Map<Map<String, String>, Double>> newest = Map.of();
    private boolean closed;

    // only for the thread that registers, which calls the SDK, and so must not hold the lock
    private Map<String, Map<String, String>> instruments = Map.of();
    private @Nullable AutoCloseable registered;

    /**
     * @param tags the tags of every meter
     * @param beforeRead brings the agent's figures up to date
     */
    public OtelMeters(
            OtelSdk sdk, Map<String, String> tags, AgentMeterBinder meters, Runnable beforeRead) {
        MicrometerLog.install();
        this.sdk = sdk;
        this.meters = meters;
        this.beforeRead = beforeRead;
        registry = new SimpleMeterRegistry(config(), Clock.SYSTEM);
        registry.config()
                .commonTags(
                        tags.entrySet().stream()
                                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                                .toList());
        meters.bindTo(registry);
    }

    /** Reads nothing from the environment, and counts from the start. */
    private static SimpleConfig config() {
        return key -> null;
    }

    /** Registers the instruments, or those and new ones if there are new ones. */
    public void register() {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        for (Meter meter : registry.getMeters()) {
            add(meter, all);
        }
        if (all.keySet().equals(instruments.keySet())) {
            return;
        }
        unregister();
        registered = sdk.meters().apply(List.copyOf(all.values()), this);
        instruments = all; // if that failed, it is tried again
    }

    private static void add(Meter meter, Map<String, Map<String, String>> to) {
        Meter.Id id = meter.getId();
        String unit = SECONDS.equals(id.getBaseUnit()) ? "s" : "";
        if (meter instanceof Timer || meter instanceof FunctionTimer) {
            add(id, count(id), OtelSdk.COUNTER, "", to);
            add(id, sum(id), OtelSdk.COUNTER, "s", to);
            if (meter instanceof Timer) {
                add(id, max(id), OtelSdk.GAUGE, "s", to);
            }
        } else {
            boolean counts = meter instanceof FunctionCounter;
            add(id, id.getName(), counts ? OtelSdk.COUNTER : OtelSdk.GAUGE, unit, to);
        }
    }

    private static void add(
            Meter.Id id,
            String name,
            String type,
            String unit,
            Map<String, Map<String, String>> to) {
        String description = id.getDescription() == null ? "" : id.getDescription();
        to.putIfAbsent(
                name,
                Map.of(
                        OtelSdk.NAME,
                        name,
                        OtelSdk.TYPE,
                        type,
                        OtelSdk.UNIT,
                        unit,
                        OtelSdk.DESCRIPTION,
                        description));
    }

    private static String count(Meter.Id id) {
        return id.getName() + ".count";
    }

    private static String sum(Meter.Id id) {
        return id.getName() + ".sum";
    }

    private static String max(Meter.Id id) {
        return id.getName() + ".max";
    }

    /**
     * Returns the current values by name and tags. The SDK calls this when it collects. A virtual
     * thread, which can only be the application's, gets the previous values: it must not wait here.
     */
    @Override
    public Map<String, Map<Map<String, String>, Double>> get() {
        return Thread.currentThread().isVirtual() ? newest : read();
    }

    private synchronized Map<String, Map<Map<String, String>, Double>> read() {
        if (closed) {
            return Map.of();
        }
        try {
            beforeRead.run();
            meters.refresh();
            Map<String, Map<Map<String, String>, Double>> values = new HashMap<>();
            for (Meter meter : registry.getMeters()) {
                addValues(meter, values);
            }
            newest = values;
        } catch (OutOfMemoryError | RuntimeException | LinkageError passing) {
            AgentLog.debug("OpenTelemetry receives the previous values again", passing);
        }
        return newest;
    }

    private static void addValues(
            Meter meter, Map<String, Map<Map<String, String>, Double>> values) {
        Meter.Id id = meter.getId();
        switch (meter) {
            case Timer timer -> {
                add(id, count(id), (double) timer.count(), values);
                add(id, sum(id), timer.totalTime(TimeUnit.SECONDS), values);
                add(id, max(id), timer.max(TimeUnit.SECONDS), values);
            }
            case FunctionTimer timer -> {
                add(id, count(id), timer.count(), values);
                add(id, sum(id), timer.totalTime(TimeUnit.SECONDS), values);
            }
            case FunctionCounter counter -> add(id, id.getName(), counter.count(), values);
            case Gauge gauge -> add(id, id.getName(), gauge.value(), values);
            default -> throw new IllegalStateException(id.toString());
        }
    }

    private static void add(
            Meter.Id id,
            String name,
            double value,
            Map<String, Map<Map<String, String>, Double>> values) {
        if (Double.isNaN(value)) {
            return; // not known
        }
        Map<String, String> tags = new HashMap<>();
        for (Tag tag : id.getTagsAsIterable()) {
            tags.put(tag.getKey(), tag.getValue());
        }
        values.computeIfAbsent(name, unused -> new HashMap<>()).put(tags, value);
    }

    private void unregister() {
        AutoCloseable before = registered;
        registered = null;
        if (before != null) {
            try {
                before.close();
            } catch (Exception failed) {
                AgentLog.debug("OpenTelemetry keeps instruments", failed);
            }
        }
    }

    @Override
    public void close() {
        unregister();
        synchronized (this) {
            closed = true;
            meters.close();
            registry.close();
        }
    }
}
