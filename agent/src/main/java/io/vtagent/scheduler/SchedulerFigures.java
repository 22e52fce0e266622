package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads the scheduler's figures from {@code jdk.management.VirtualThreadSchedulerMXBean} (JDK 24
 * and later) or, if there is none, from the scheduler itself. Thread-safe.
 */
public final class SchedulerFigures {
    private final CarrierPool pool;
    private final @Nullable Object bean;

    /**
     * Loads the JDK's management classes, so do not call it on the thread that runs {@code
     * premain}.
     */
    public SchedulerFigures(CarrierPool pool) {
        this.pool = pool;
        bean = findBean();
    }

    /** Returns the number of carriers that the scheduler aims to keep running. */
    public long parallelism() {
        return ask(JdkInternal.SCHEDULER_PARALLELISM, pool.parallelism());
    }

    /** Returns the number of carriers that exist. */
    public long size() {
        return ask(JdkInternal.SCHEDULER_POOL_SIZE, pool.size());
    }

    /**
     * Returns the maximum number of carriers when the scheduler compensates; the bean does not have
     * it.
     */
    public long max() {
        return pool.max();
    }

    /** Returns the number of virtual threads that are ready to run and have no carrier. */
    public long queued() {
        return pool.withoutOwn(ask(JdkInternal.SCHEDULER_QUEUED, pool.allQueued()));
    }

    private long ask(JdkInternal getter, long otherwise) {
        if (bean == null) {
            return otherwise;
        }
        try {
            long answer = ((Number) getter.method().invoke(bean)).longValue();
            return answer < 0 ? otherwise : answer;
        } catch (ReflectiveOperationException | RuntimeException other) {
            return otherwise;
        }
    }

    private static @Nullable Object findBean() {
        try {
            return ManagementFactory.getPlatformMXBean(
                    JdkInternal.SCHEDULER_PARALLELISM
                            .initializedType()
                            .asSubclass(PlatformManagedObject.class));
        } catch (ClassNotFoundException | LinkageError | RuntimeException older) {
            return null;
        }
    }
}
