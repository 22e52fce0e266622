package io.vtagent.instrument;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.vm.VirtualThreads;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Installs the sensors. {@code JavaBase.open} and {@link BootProbe#define} come first, and {@link SelfTest} later. */
public final class Installer {
    private static final String SWITCHED_OFF = "switched off by the option synchronized";
    private static final int CLASSES_AT_A_TIME = 100;

    private final Instrumentation instrumentation;
    private final ClassTally classes = new ClassTally();
    private final Map<Sensor, String> sensors = new EnumMap<>(Sensor.class);
    private boolean unmountsTold;

    public Installer(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
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
        boolean carriers = VirtualThreads.haveCarriers();
        boolean monitorsPin = false;
        if (carriers) {
            hookJdk(tellUnmounts);
            monitorsPin = sensors.get(Sensor.PARK) == null && SelfTest.monitorsPin();
            if (monitorsPin) {
                MonitorTransformer transformer = new MonitorTransformer(internal(include), internal(exclude), classes);
                hookMonitors(transformer, wrapSynchronized, running);
            }
            remaining(monitorsPin);
        }
        return new Installation(
                carriers,
                monitorsPin,
                unmountsTold,
                sensors,
                classes.wrapped::contains,
                classes.transformed::get,
                classes.failed::get);
    }

    private void hookJdk(boolean tellUnmounts) {
        List<JdkHook> hooks = new ArrayList<>(JdkHook.ofSensors());
        JdkHook onUnmount = JdkHook.onUnmount();
        if (tellUnmounts) {
            hooks.add(onUnmount);
        }
        JdkTransformer transformer = new JdkTransformer(hooks);
        List<Class<?>> owners = new ArrayList<>();
        for (String owner : transformer.owners()) {
            try {
                owners.add(Class.forName(owner.replace('/', '.'), false, null));
            } catch (ClassNotFoundException gone) {
                AgentLog.debug("this JDK has no class " + owner);
            }
        }
        instrumentation.addTransformer(transformer, true);
        retransform(owners);
        unmountsTold = transformer.isPlaced(onUnmount);
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
        if (!wrapSynchronized) {
            sensors.put(Sensor.ENTER, SWITCHED_OFF);
            return;
        }
        instrumentation.addTransformer(transformer, true);
        if (!running) {
            return;
        }
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            ClassLoader loader = type.getClassLoader();
            boolean wanted = loader != null
                    && !type.isHidden()
                    && instrumentation.isModifiableClass(type)
                    && transformer.isWanted(loader, type.getName().replace('.', '/'));
            if (wanted) {
                loaded.add(type);
            }
        }
        for (int from = 0; from < loaded.size(); from += CLASSES_AT_A_TIME) {
            retransform(loaded.subList(from, Math.min(from + CLASSES_AT_A_TIME, loaded.size())));
        }
    }

    /** Retransforms all at once or, if one of them refuses, each alone. */
    private void retransform(List<Class<?>> types) {
        try {
            instrumentation.retransformClasses(types.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | LinkageError | InternalError | RuntimeException refused) {
            // an InternalError, "invalid class", of a class whose initializer has failed
            if (types.size() == 1) {
                AgentLog.debug("cannot transform " + types.get(0).getName(), refused);
                return;
            }
            for (Class<?> type : types) {
                retransform(List.of(type));
            }
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
