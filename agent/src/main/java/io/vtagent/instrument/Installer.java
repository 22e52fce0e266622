package io.vtagent.instrument;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.Redefinitions;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Installs the sensors. {@code JavaBase.open} and {@link BootProbe#define} must be called before,
 * and {@link SelfTest} runs later. As a supplier it finds the application's Micrometer ({@link
 * Installation#micrometer}), because a separate supplier would be one more class to load before
 * {@code main}.
 */
public final class Installer implements Supplier<List<Class<?>>> {
    private static final String SWITCHED_OFF = "switched off by the option synchronized";

    private final Transformations transformations;
    private final ClassTally classes = new ClassTally();
    private final Map<Sensor, String> sensors = new EnumMap<>(Sensor.class);
    private final Instrumentation instrumentation;
    private @Nullable BooleanSupplier running;
    private @Nullable JdkTransformer jdkTransformer;
    private @Nullable MicrometerFinder finder;

    public Installer(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        transformations = new Transformations(instrumentation);
    }

    /**
     * Installs the sensors that are useful in this JVM. They do not report to a listener yet.
     *
     * @param hookUnmounts whether carriers report that a virtual thread has left them
     * @param wrapSynchronized whether the monitors of the application are wrapped, if they pin
     * @param include prefixes of the names of classes to wrap; an empty list stands for all classes
     * @param exclude prefixes of the names of classes not to wrap
     * @param running whether the application is already running, so that loaded classes are wrapped
     *     as far as possible; it may start at any time
     */
    public Installation install(
            boolean hookUnmounts,
            boolean wrapSynchronized,
            List<String> include,
            List<String> exclude,
            BooleanSupplier running) {
        this.running = running;
        boolean carriers = VirtualThreads.haveCarriers();
        boolean monitorsPin = false;
        if (carriers) {
            hookJdk(hookUnmounts);
            monitorsPin = VirtualThreads.monitorsPin();
            if (monitorsPin) {
                MonitorTransformer transformer =
                        new MonitorTransformer(
                                internal(include),
                                internal(exclude),
                                classes,
                                running.getAsBoolean());
                hookMonitors(transformer, wrapSynchronized, running);
            }
            remaining(monitorsPin);
            Redefinitions.forget(); // it happens once, and pins are to have sites from the start
        }
        return new Installation(
                carriers,
                monitorsPin,
                running.getAsBoolean(),
                sensors,
                classes.wrapped,
                classes.transformed,
                classes.failed,
                this);
    }

    /**
     * Returns the new classes {@code Metrics} of the application's Micrometer. For use by one
     * thread of the agent.
     */
    @Override
    public List<Class<?>> get() {
        BooleanSupplier isRunning = running;
        if (jdkTransformer == null || isRunning == null) {
            return List.of();
        }
        List<WeakReference<ClassLoader>> loaders = jdkTransformer.takeMicrometerLoaders();
        if (finder == null && (isRunning.getAsBoolean() || !loaders.isEmpty())) {
            finder = new MicrometerFinder(instrumentation, isRunning.getAsBoolean());
        }
        return finder == null ? List.of() : finder.find(loaders);
    }

    /** Returns whether the probe is called for each carrier that is created. */
    public boolean reportsCarriers() {
        return jdkTransformer != null && jdkTransformer.isPlaced(JdkHook.ON_CARRIER);
    }

    /** Returns the transformers of the agent. */
    public Transformations transformations() {
        return transformations;
    }

    private void hookJdk(boolean hookUnmounts) {
        List<JdkHook> hooks = new ArrayList<>(JdkHook.ofSensors());
        if (hookUnmounts) {
            hooks.add(JdkHook.ON_UNMOUNT);
        }
        JdkTransformer transformer = transformations.hook(hooks);
        jdkTransformer = transformer;
        for (JdkHook hook : hooks) {
            if (transformer.isPlaced(hook)) {
                continue;
            }
            String missing = "this JDK has no " + hook;
            if (hook.neededBy().isEmpty()) {
                AgentLog.error(missing);
            }
            hook.neededBy().forEach(sensor -> sensors.putIfAbsent(sensor, missing));
        }
    }

    private void hookMonitors(
            MonitorTransformer transformer, boolean wrapSynchronized, BooleanSupplier running) {
        if (wrapSynchronized) {
            transformations.wrap(transformer, running);
        } else {
            sensors.put(Sensor.ENTER, SWITCHED_OFF);
        }
    }

    private void remaining(boolean monitorsPin) {
        for (Sensor sensor : Sensor.values()) {
            if (sensor != Sensor.ENTER || monitorsPin) {
                sensors.putIfAbsent(sensor, Sensors.NOT_PROVED_YET);
            }
        }
    }

    private static List<String> internal(List<String> prefixes) {
        List<String> internal = new ArrayList<>();
        for (String prefix : prefixes) {
            internal.add(prefix.replace('.', '/'));
        }
        return internal;
    }
}
