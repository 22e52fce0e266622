package io.vtagent.instrument;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.vm.VirtualThreads;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Installs the sensors. {@code JavaBase.open} and {@link BootProbe#define} come first, and {@link SelfTest} later. As a supplier it finds
 * the application's Micrometer ({@link Installation#micrometer}): something else would be one class more to load before {@code main}.
 */
public final class Installer implements Supplier<List<Class<?>>> {
    private static final String SWITCHED_OFF = "switched off by the option synchronized";

    private final Transformations transformations;
    private final ClassTally classes = new ClassTally();
    private final Map<Sensor, String> sensors = new EnumMap<>(Sensor.class);
    private final Instrumentation instrumentation;
    private boolean running;
    private @Nullable JdkTransformer jdkTransformer;
    private @Nullable MicrometerFinder finder;

    public Installer(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        transformations = new Transformations(instrumentation);
    }

    /**
     * Installs what this JVM has a use for. The sensors report to nobody yet.
     *
     * @param tellUnmounts whether carriers are to tell that a virtual thread has left them
     * @param wrapSynchronized whether the monitors of the application are wrapped, if they pin
     * @param include prefixes of the names of classes to wrap; none stands for all
     * @param exclude prefixes of the names of classes not to wrap
     * @param running whether the application runs already, so that classes that are loaded are wrapped as far as possible
     */
    public Installation install(
            boolean tellUnmounts,
            boolean wrapSynchronized,
            List<String> include,
            List<String> exclude,
            boolean running) {
        this.running = running;
        boolean carriers = VirtualThreads.haveCarriers();
        boolean monitorsPin = false;
        if (carriers) {
            hookJdk(tellUnmounts);
            monitorsPin = sensors.get(Sensor.PARK) == null && SelfTest.monitorsPin();
            if (monitorsPin) {
                MonitorTransformer transformer =
                        new MonitorTransformer(internal(include), internal(exclude), classes, running);
                hookMonitors(transformer, wrapSynchronized, running);
            }
            remaining(monitorsPin);
        }
        return new Installation(
                carriers,
                monitorsPin,
                running,
                sensors,
                classes.wrapped::contains,
                classes.transformed::get,
                classes.failed::get,
                this);
    }

    /** The classes of the application's Micrometer that are new. For one thread of the agent. */
    @Override
    public List<Class<?>> get() {
        if (jdkTransformer == null) {
            return List.of();
        }
        List<WeakReference<ClassLoader>> loaders = jdkTransformer.takeMicrometerLoaders();
        if (finder == null && (running || !loaders.isEmpty())) {
            finder = new MicrometerFinder(instrumentation, running);
        }
        return finder == null ? List.of() : finder.find(loaders);
    }

    /** Whether the probe is told of each carrier that is made. */
    public boolean isToldOfCarriers() {
        return jdkTransformer != null && jdkTransformer.isPlaced(JdkHook.ON_CARRIER);
    }

    /** What was done to classes. */
    public Transformations transformations() {
        return transformations;
    }

    private void hookJdk(boolean tellUnmounts) {
        List<JdkHook> hooks = new ArrayList<>(JdkHook.ofSensors());
        if (tellUnmounts) {
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

    private void hookMonitors(MonitorTransformer transformer, boolean wrapSynchronized, boolean running) {
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
        return prefixes.stream().map(prefix -> prefix.replace('.', '/')).toList();
    }
}
