package io.vtagent.exporter.bridge;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * An application with a Micrometer of its own, in a class loader that has none of the agent's
 * classes. It is called with the name of a command and an argument, which may be a number or a
 * name.
 */
public final class ApplicationWithMicrometer implements BiFunction<String, String, Object> {
    private static final ThreadLocal<Object> LEFT = new ThreadLocal<>();

    private final List<SimpleMeterRegistry> registries = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean ours;

    @Override
    public Object apply(String command, String argument) {
        return switch (command) {
            case "add" -> add(MeterFilter.accept());
            case "add throwing" ->
                    add(
                            new Named(
                                    argument,
                                    () -> {
                                        throw new IllegalStateException("not here");
                                    }));
            case "add denying" -> add(MeterFilter.denyNameStartsWith(argument));
            case "add hanging" -> add(new Named(argument, this::hang));
            case "add littering" -> add(new Named(argument, this::litter));
            case "fail to remove" -> {
                AtomicInteger left = new AtomicInteger(Integer.parseInt(argument));
                Metrics.globalRegistry
                        .config()
                        .onMeterRemoved(
                                meter -> {
                                    if (left.getAndDecrement() > 0) {
                                        throw new OutOfMemoryError("made up");
                                    }
                                });
                yield "";
            }
            case "release" -> {
                released.countDown();
                yield "";
            }
            case "clear" -> {
                Metrics.globalRegistry.clear();
                yield "";
            }
            case "global" -> Metrics.globalRegistry.getMeters().size();
            case "own loader" -> ours;
            default -> values(registries.get(Integer.parseInt(argument)));
        };
    }

    private record Named(String name, Runnable action) implements MeterFilter {
        @Override
        public MeterFilterReply accept(Meter.Id id) {
            if (id.getName().equals(name)) {
                action.run();
            }
            return MeterFilterReply.NEUTRAL;
        }
    }

    private int add(MeterFilter filter) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(filter);
        registries.add(registry);
        Metrics.addRegistry(registry);
        return registries.size() - 1;
    }

    private void hang() {
        try {
            released.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private void litter() {
        LEFT.set(this);
        ours =
                Thread.currentThread().getContextClassLoader()
                        == ApplicationWithMicrometer.class.getClassLoader();
    }

    /** Each measurement of each meter, by name, tags, unit and statistic. */
    private static Map<String, Double> values(SimpleMeterRegistry registry) {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            meter.measure()
                    .forEach(
                            measurement ->
                                    values.put(
                                            id.getName()
                                                    + id.getTags()
                                                    + " "
                                                    + id.getBaseUnit()
                                                    + " "
                                                    + measurement.getStatistic()
                                                    + " "
                                                    + id.getDescription(),
                                            measurement.getValue()));
        }
        return values;
    }
}
