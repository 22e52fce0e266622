package io.vtagent.scheduler;

import io.vtagent.jvm.HandleCalls;
import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.ForkJoinPool;

/**
 * Compensates for held carriers as {@code jdk.internal.misc.Blocker} does for file I/O, on the same
 * scheduler. {@code ForkJoinPool.beginCompensatedBlock} counts a carrier as blocked. If too few
 * running carriers remain, it wakes an idle one or adds one, up to {@code
 * jdk.virtualThreadScheduler.maxPoolSize}. Both methods may be called on any thread, also for a
 * carrier other than the caller's. They take no lock. Thread-safe.
 */
public final class Compensation {
    private static final MethodHandle BEGIN;
    private static final MethodHandle END;

    static {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(ForkJoinPool.class, MethodHandles.lookup());
            BEGIN = JdkInternal.BEGIN_COMPENSATED_BLOCK.handle(lookup);
            END = JdkInternal.END_COMPENSATED_BLOCK.handle(lookup);
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.BEGIN_COMPENSATED_BLOCK.changed(missing);
        }
    }

    private final ForkJoinPool pool;

    Compensation(ForkJoinPool pool) {
        this.pool = pool;
    }

    /** Links and specializes both handles, on a pool that is thrown away and has no thread. */
    public void warmUp() {
        ForkJoinPool thrownAway = new ForkJoinPool(1, pool -> null, null, true);
        Compensation other = new Compensation(thrownAway);
        for (int i = 0; i < HandleCalls.TO_SETTLE; i++) {
            other.end(other.begin());
        }
        thrownAway.shutdown();
    }

    /**
     * Begins to compensate for a carrier.
     *
     * @return the value to pass to {@link #end}; 0 if the scheduler refused because it has its
     *     maximum of carriers, or if it failed
     */
    public long begin() {
        try {
            return (long) BEGIN.invokeExact(pool);
        } catch (Throwable refused) {
            return 0;
        }
    }

    /** Ends what {@link #begin} began. */
    public void end(long begun) {
        try {
            END.invokeExact(pool, begun);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
