package io.vtagent.jvm;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.OwnScheduler;
import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A pool like the JDK's scheduler of virtual threads, whose every figure a test knows. */
public final class OwnPool {
    private OwnPool() {}

    /**
     * Aims at {@code parallelism} workers that run, of which it first takes all but one out of
     * work, and has at most {@code max}.
     */
    public static ForkJoinPool of(int parallelism, int max) {
        return of(parallelism, max, ForkJoinPool.defaultForkJoinWorkerThreadFactory);
    }

    /** The same, whose workers {@code factory} makes. */
    public static ForkJoinPool of(int parallelism, int max, ForkJoinWorkerThreadFactory factory) {
        return new ForkJoinPool(
                parallelism, factory, null, true, 0, max, 1, null, 1, TimeUnit.HOURS);
    }

    /** A virtual thread that has {@code scheduler} for its scheduler. */
    public static Thread unstarted(ForkJoinPool scheduler, Runnable task) {
        return virtualThreads(scheduler).newThread(task);
    }

    /**
     * Makes virtual threads whose scheduler is {@code pool}, in the way of {@link OwnScheduler}.
     */
    public static ThreadFactory virtualThreads(ForkJoinPool pool) {
        try {
            Constructor<?> builder =
                    Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                            .getDeclaredConstructor(Executor.class);
            builder.setAccessible(true);
            return ((Thread.Builder) builder.newInstance(pool)).factory();
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JDK does not let a scheduler be chosen", unknown);
        }
    }

    /** Seen as the scheduler is. */
    public static CarrierPool seen(ForkJoinPool pool) throws ReflectiveOperationException {
        return new CarrierPool(pool);
    }
}
