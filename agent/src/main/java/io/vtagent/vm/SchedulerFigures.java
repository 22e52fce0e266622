package io.vtagent.vm;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler's figures as {@code jdk.management.VirtualThreadSchedulerMXBean} tells them (JDK 24 and later), or where there is
 * none, as the scheduler itself does. Thread-safe.
 */
public final class SchedulerFigures {
    private static final String BEAN = "jdk.management.VirtualThreadSchedulerMXBean";

    private final CarrierPool pool;
    private final @Nullable Object bean;

    /** Loads the JDK's management classes, so not for the thread that runs {@code premain}. */
    public SchedulerFigures(CarrierPool pool) {
        this.pool = pool;
        bean = findBean();
    }

    /** Carriers that the scheduler aims to keep running. */
    public long parallelism() {
        return ask("getParallelism", pool.parallelism());
    }

    /** Carriers that exist. */
    public long size() {
        return ask("getPoolSize", pool.size());
    }

    /** Carriers that may exist when it compensates; the bean does not tell it. */
    public long max() {
        return pool.max();
    }

    /** Virtual threads that are ready to run and have no carrier. */
    public long queued() {
        return pool.withoutOwn(ask("getQueuedVirtualThreadCount", pool.allQueued()));
    }

    private long ask(String getter, long otherwise) {
        if (bean == null) {
            return otherwise;
        }
        try {
            Method method = Class.forName(BEAN).getMethod(getter);
            long answer = ((Number) method.invoke(bean)).longValue();
            return answer < 0 ? otherwise : answer;
        } catch (ReflectiveOperationException | RuntimeException other) {
            return otherwise;
        }
    }

    private static @Nullable Object findBean() {
        try {
            return ManagementFactory.getPlatformMXBean(Class.forName(BEAN).asSubclass(PlatformManagedObject.class));
        } catch (ClassNotFoundException | LinkageError | RuntimeException older) {
            return null;
        }
    }
}
