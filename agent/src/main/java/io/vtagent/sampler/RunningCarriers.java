package io.vtagent.sampler;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.QueueCounters;
import io.vtagent.site.Snapshot;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The carriers of this JVM, for {@link BusyCarriers}. For the sampler's thread. */
final class RunningCarriers implements BusyCarriers.Carriers {
    /** The divisor of the CPU time that stacks may take: 1/1000 of one CPU. */
    private static final int SHARE = 1_000;

    private final CarrierPool pool;
    private final QueueCounters.Reader reader;
    private final ToLongFunction<Thread> demandNanos;
    private final StackBudget budget;
    private @Nullable QueueCounters before;
    private @Nullable QueueCounters now;
    private long refreshedAtNanos = System.nanoTime();

    /**
     * @param demandNanos returns for how long a carrier has used a CPU or waited for one
     * @param usedNanos returns the CPU time that the current thread has used
     * @throws ReflectiveOperationException if this JDK's scheduler is not the known one
     */
    RunningCarriers(CarrierPool pool, ToLongFunction<Thread> demandNanos, LongSupplier usedNanos)
            throws ReflectiveOperationException {
        this.pool = pool;
        this.demandNanos = demandNanos;
        reader = pool.counters();
        budget = new StackBudget(usedNanos, SHARE);
    }

    @Override
    public void refresh() {
        long nowNanos = System.nanoTime();
        budget.passed(nowNanos - refreshedAtNanos);
        refreshedAtNanos = nowNanos;
        before = now;
        now = reader.read();
    }

    @Override
    public QueueCounters.Kept kept(Thread carrier) {
        QueueCounters earlier = before;
        QueueCounters newest = now;
        return earlier == null || newest == null
                ? QueueCounters.Kept.NO
                : newest.keptSince(earlier, carrier);
    }

    @Override
    public @Nullable Thread mountedOn(Thread carrier) {
        return pool.mountedOn(carrier);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long demandNanos(Thread carrier) {
        return demandNanos.applyAsLong(carrier);
    }

    @Override
    public @Nullable List<StackTraceElement> frames(Thread thread) {
        return budget.isLeft() ? budget.spend(() -> Snapshot.of(thread).frames()) : null;
    }
}
