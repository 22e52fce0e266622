package io.vtagent.exporter.bridge;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A copy of Micrometer, 1.10 or later, that the application has loaded. Gives reflective access to
 * its public types. Anything that the application's code throws arrives as an {@link
 * InvocationTargetException}. Not thread-safe.
 */
final class Micrometer {
    // joined at run time, because the build would relocate a literal to the agent's own copy
    private static final String PACKAGE =
            String.join(".", "io", "micrometer", "core", "instrument", "");

    private final ClassLoader loader;
    private final Object global;
    private final Class<?> registry;
    private final Class<?> composite;
    private final Method registries;
    private final Method remove;
    private final Method idOf;
    private final Method record;

    /**
     * @param metrics the class {@code Metrics}, which is initialized
     */
    Micrometer(Class<?> metrics) throws ReflectiveOperationException {
        loader = metrics.getClassLoader();
        global = metrics.getField("globalRegistry").get(null);
        registry = type("MeterRegistry");
        composite = type("composite.CompositeMeterRegistry");
        registries = composite.getMethod("getRegistries");
        Class<?> meter = type("Meter");
        remove = registry.getMethod("remove", meter);
        idOf = meter.getMethod("getId");
        record = type("Timer").getMethod("record", long.class, TimeUnit.class);
    }

    /**
     * Returns the registries that hold values: those in the global registry and, recursively, in
     * the composite registries in it.
     */
    Set<Object> leaves() throws ReflectiveOperationException {
        Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
        addLeaves(global, found);
        return found;
    }

    private void addLeaves(Object parent, Set<Object> found) throws ReflectiveOperationException {
        for (Object child : (Set<?>) registries.invoke(parent)) {
            if (composite.isInstance(child)) {
                addLeaves(child, found);
            } else {
                found.add(child);
            }
        }
    }

    /** Registers {@code figure} in the global registry, or finds it there. */
    Object register(CachedMeter figure) throws ReflectiveOperationException {
        Meter.Id id = figure.id();
        Object builder = builder(figure);
        call(builder, "tags", String[].class, tags(id));
        call(builder, "description", String.class, String.valueOf(id.getDescription()));
        if (figure instanceof CachedMeter.OfGauge || figure instanceof CachedMeter.OfCounter) {
            String unit = id.getBaseUnit();
            if (unit != null) {
                call(builder, "baseUnit", String.class, unit);
            }
        }
        return call(builder, "register", registry, global);
    }

    private Object builder(CachedMeter figure) throws ReflectiveOperationException {
        String name = figure.id().getName();
        if (figure instanceof CachedMeter.OfEach each) {
            return withBuckets(timer(name), each.timer().config());
        }
        if (figure instanceof CachedMeter.OfTimer) {
            return type("FunctionTimer")
                    .getMethod(
                            "builder",
                            String.class,
                            Object.class,
                            ToLongFunction.class,
                            ToDoubleFunction.class,
                            TimeUnit.class)
                    .invoke(null, name, figure, figure, figure, TimeUnit.NANOSECONDS);
        }
        return type(figure instanceof CachedMeter.OfCounter ? "FunctionCounter" : "Gauge")
                .getMethod("builder", String.class, Object.class, ToDoubleFunction.class)
                .invoke(null, name, figure, figure);
    }

    private Object timer(String name) throws ReflectiveOperationException {
        return type("Timer").getMethod("builder", String.class).invoke(null, name);
    }

    private static Object withBuckets(Object builder, DistributionStatisticConfig config)
            throws ReflectiveOperationException {
        Double shortestNanos = config.getMinimumExpectedValueAsDouble();
        Double longestNanos = config.getMaximumExpectedValueAsDouble();
        if (config.isPublishingHistogram() && shortestNanos != null && longestNanos != null) {
            call(builder, "publishPercentileHistogram", Boolean.class, true);
            call(
                    builder,
                    "minimumExpectedValue",
                    Duration.class,
                    Duration.ofNanos(shortestNanos.longValue()));
            call(
                    builder,
                    "maximumExpectedValue",
                    Duration.class,
                    Duration.ofNanos(longestNanos.longValue()));
        }
        return builder;
    }

    private static String[] tags(Meter.Id id) {
        List<String> tags = new ArrayList<>();
        for (Tag tag : id.getTagsAsIterable()) {
            tags.add(tag.getKey());
            tags.add(tag.getValue());
        }
        return tags.toArray(new String[0]);
    }

    /**
     * Returns the timer in {@code leaf} that corresponds to {@code timer}, which is {@code
     * figure}'s in the global registry. While the application is adding {@code leaf}, that timer
     * may not exist yet; then this creates it as the global registry would.
     */
    Object timerIn(Object leaf, CachedMeter.OfEach figure, Object timer)
            throws ReflectiveOperationException {
        Object id = idOf.invoke(timer);
        Object builder = withBuckets(timer((String) call(id, "getName")), figure.timer().config());
        call(builder, "tags", Iterable.class, call(id, "getTagsAsIterable"));
        call(builder, "description", String.class, call(id, "getDescription"));
        return call(builder, "register", registry, leaf);
    }

    void record(Object timer, long nanos) throws ReflectiveOperationException {
        record.invoke(timer, nanos, TimeUnit.NANOSECONDS);
    }

    /** Removes {@code meter} from the global registry and all registries in it. */
    void remove(Object meter) throws ReflectiveOperationException {
        remove.invoke(global, meter);
    }

    /** Returns whether the application's filters have denied {@code meter}. */
    static boolean isDenied(Object meter) {
        return meter.getClass().getName().startsWith(PACKAGE + "noop.");
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name, false, loader);
    }

    private static Object call(Object target, String method) throws ReflectiveOperationException {
        return target.getClass().getMethod(method).invoke(target);
    }

    private static Object call(Object target, String method, Class<?> type, Object argument)
            throws ReflectiveOperationException {
        return target.getClass().getMethod(method, type).invoke(target, argument);
    }
}
