package io.vtagent.instrument;

import io.vtagent.log.AgentLog;
import io.vtagent.site.Redefinitions;
import io.vtagent.thread.AgentThread;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's class file transformers: registers them, has loaded classes transformed, and takes
 * all of it back. Thread-safe by one lock.
 */
public final class Transformations {
    private static final int CLASSES_AT_A_TIME = 200;

    /**
     * From the moment at which a class is transformed until it is among those that are loaded, it
     * takes less, as a rule.
     */
    private static final long MAX_LOADING_NANOS = 500_000_000;

    private static final long BETWEEN_NANOS = MAX_LOADING_NANOS / 5;

    private final Instrumentation instrumentation;
    private final List<JdkTransformer> jdk = new ArrayList<>();
    private @Nullable MonitorTransformer monitors;

    Transformations(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Puts hooks into the JDK's classes. The result has those that found their method. */
    synchronized JdkTransformer hook(List<JdkHook> hooks) {
        JdkTransformer transformer = new JdkTransformer(hooks);
        instrumentation.addTransformer(transformer, true);
        jdk.add(transformer);
        retransform(transformer.ownersLoaded());
        return transformer;
    }

    /**
     * Makes carriers report from now on when a virtual thread has left them. It takes effect once,
     * however often it is called; returns false if they cannot.
     */
    public synchronized boolean reportUnmounts() {
        return jdk.stream().anyMatch(transformer -> transformer.isPlaced(JdkHook.ON_UNMOUNT))
                || hook(List.of(JdkHook.ON_UNMOUNT)).isPlaced(JdkHook.ON_UNMOUNT);
    }

    /**
     * Wraps monitors.
     *
     * @param running whether the application runs already, so that there are classes that are
     *     loaded. It is asked when those are transformed that are loaded from now on.
     */
    synchronized void wrap(MonitorTransformer transformer, BooleanSupplier running) {
        instrumentation.addTransformer(transformer, true);
        monitors = transformer;
        if (running.getAsBoolean()) {
            retransform(loaded(transformer::isWanted));
        }
    }

    /**
     * Takes everything back that can be: a method that lost its modifier {@code synchronized} when
     * its class was loaded keeps the block that stands for it, since the JVM takes no version of a
     * class with other modifiers. For such classes, if there are any, their transformer stays.
     *
     * @return how many such classes there are
     */
    public synchronized int takeBack() {
        for (JdkTransformer transformer : jdk) {
            instrumentation.removeTransformer(transformer);
            retransform(transformer.ownersLoaded());
        }
        jdk.clear();
        MonitorTransformer transformer = monitors;
        if (transformer == null) {
            return 0;
        }
        transformer.wrapNoMore();
        int changed = loaded(transformer::hasChanged).size();
        if (changed == 0) {
            instrumentation.removeTransformer(transformer);
        }
        List<Class<?>> wrapped = loaded(transformer::hasWrapped);
        retransform(wrapped);
        retransform(loadedLater(transformer, wrapped));
        monitors = null;
        return changed;
    }

    /** Returns the classes that {@code transformer} has wrapped and that were not loaded before. */
    private List<Class<?>> loadedLater(MonitorTransformer transformer, List<Class<?>> before) {
        long beganNanos = System.nanoTime();
        List<Class<?>> loaded = before;
        while (transformer.mayLoadMoreThan(loaded.size())
                && System.nanoTime() - beganNanos < MAX_LOADING_NANOS) {
            AgentThread.pause(BETWEEN_NANOS);
            loaded = loaded(transformer::hasWrapped);
        }
        List<Class<?>> later = new ArrayList<>(loaded);
        later.removeAll(before);
        return later;
    }

    /** A filter of classes, by loader and by name with slashes. */
    private interface OfClass {
        boolean test(ClassLoader loader, String className);
    }

    private List<Class<?>> loaded(OfClass wanted) {
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            ClassLoader loader = type.getClassLoader();
            if (loader != null
                    && !type.isHidden()
                    && !type.isAnnotation()
                    && instrumentation.isModifiableClass(type)
                    && wanted.test(loader, type.getName().replace('.', '/'))) {
                loaded.add(type);
            }
        }
        return loaded;
    }

    private void retransform(List<Class<?>> types) {
        for (int from = 0; from < types.size(); from += CLASSES_AT_A_TIME) {
            retransformAtOnce(
                    types.subList(from, Math.min(from + CLASSES_AT_A_TIME, types.size())));
        }
    }

    /**
     * Retransforms all at once or, if one of them refuses, each half: each time, the JVM stops all
     * threads and examines all of its classes.
     */
    private void retransformAtOnce(List<Class<?>> types) {
        if (types.get(0).getClassLoader() != null) {
            Redefinitions.begin(); // when the agent leaves, no transformer of its own reports it
        }
        try {
            instrumentation.retransformClasses(types.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException
                | LinkageError
                | InternalError
                | RuntimeException refused) {
            // an InternalError, "invalid class", of a class whose initializer has failed
            if (types.size() == 1) {
                AgentLog.debug("cannot transform " + types.get(0).getName(), refused);
                return;
            }
            int half = types.size() / 2;
            retransformAtOnce(types.subList(0, half));
            retransformAtOnce(types.subList(half, types.size()));
        }
    }
}
