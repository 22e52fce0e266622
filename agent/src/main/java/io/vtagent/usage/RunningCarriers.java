package io.vtagent.usage;

import io.vtagent.kernel.KernelThreads;
import io.vtagent.kernel.ThreadSchedStat;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.QueueCounters;
import io.vtagent.site.Snapshot;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The carriers of this JVM, for {@link BusyCarriers}. For the sampler's thread. */
public final class RunningCarriers implements BusyCarriers.Carriers {
    /** The divisor of the CPU time that stacks may take: 1/2000 of one CPU. */
    private static final int SHARE = 2_000;

    private final CarrierPool pool;
    private final QueueCounters.Reader reader;
    private final Supplier<@Nullable KernelThreads> kernel;
    private final StackBudget budget;
    private final ReadStalls stalls = new ReadStalls();
    private long paidAtNanos = System.nanoTime();

    /**
     * @param kernel returns null if the CPU times of threads are not known
     * @param usedNanos returns the CPU time that the current thread has used
     * @throws ReflectiveOperationException if this JDK's scheduler is not the known one
     */
    public RunningCarriers(
            CarrierPool pool, Supplier<@Nullable KernelThreads> kernel, LongSupplier usedNanos)
            throws ReflectiveOperationException {
        this.pool = pool;
        this.kernel = kernel;
        reader = pool.counters();
        budget = new StackBudget(usedNanos, SHARE);
    }

    /** The counters of the queues at one moment. */
    private record Counted(QueueCounters counters) implements BusyCarriers.Moment {
        @Override
        public QueueCounters.Kept keptSince(BusyCarriers.Moment before, Thread carrier) {
            return before instanceof Counted earlier
                    ? counters.keptSince(earlier.counters, carrier)
                    : QueueCounters.Kept.NO;
        }
    }

    @Override
    public BusyCarriers.Moment moment() {
        return new Counted(reader.read());
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
    public long cpuNanos(Thread carrier) {
        KernelThreads known = kernel.get();
        return known == null ? -1 : known.sleepId(carrier);
    }

    @Override
    public long queuedNanos(Thread carrier) {
        long id = ThreadSchedStat.idOf(carrier);
        ThreadSchedStat.Times times =
                id == ThreadSchedStat.UNKNOWN ? null : ThreadSchedStat.read(id);
        return times == null ? -1 : times.queuedNanos();
    }

    @Override
    public @Nullable List<StackTraceElement> frames(Thread thread) {
        long nowNanos = System.nanoTime();
        budget.passed(nowNanos - paidAtNanos);
        paidAtNanos = nowNanos;
        if (!budget.isLeft() || stalls.isTooSoon(nowNanos)) {
            return null;
        }
        List<StackTraceElement> frames = budget.spend(() -> Snapshot.of(thread).frames());
        stalls.read(nowNanos, System.nanoTime());
        return frames;
    }
}
