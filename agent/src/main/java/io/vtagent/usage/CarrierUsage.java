package io.vtagent.usage;

import io.vtagent.kernel.CpuThrottling;
import io.vtagent.kernel.ThreadSchedStat;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.scheduler.CarrierPool;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of the carriers' time, the part of it that is lost to held ones, and the time for which
 * virtual threads wait because of that. {@link #sample} is for the sampler's thread, the rest for
 * any.
 */
public final class CarrierUsage {
    /**
     * The figures so far, in nanoseconds. None of them ever decreases.
     *
     * @param heldNanos carrier time held
     * @param runningNanos carrier time on a CPU
     * @param runnableNanos carrier time in the run queue; 0 where the system does not report it
     * @param idleNanos the rest of the time for which carriers have existed
     * @param lostNanos carrier time that the scheduler lacked because of held carriers
     * @param waitedHeldNanos how long virtual threads were queued because of lost carriers, summed
     *     over the threads
     * @param waitedBusyNanos the same because of carriers that ran other threads
     * @param throttledNanos how long a CPU quota stopped the process, summed over the CPUs
     * @param pausedNanos how long the JVM paused all threads
     */
    public record Totals(
            long heldNanos,
            long runningNanos,
            long runnableNanos,
            long idleNanos,
            long lostNanos,
            long waitedHeldNanos,
            long waitedBusyNanos,
            long throttledNanos,
            long pausedNanos) {
        static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private final CarrierPool pool;
    private final CarrierTimes times;
    private final WaitAttribution attribution;
    private final SampledIntegral lost = new SampledIntegral();
    private final SampledIntegral waitedHeld = new SampledIntegral();
    private final SampledIntegral waitedBusy = new SampledIntegral();

    /** Carrier time that pins and the kernel's run queue both count. */
    private final SampledIntegral heldInRunQueue = new SampledIntegral();

    private final LongSupplier pausedNanos;
    private @Nullable CpuThrottling throttling;
    private volatile Totals newest = Totals.NONE;

    /**
     * @param cpuNanos returns the CPU time that the sampler's thread has used
     * @param pausedNanos returns how long the JVM has paused all threads
     */
    public CarrierUsage(
            CarrierPool pool, Ledger ledger, LongSupplier cpuNanos, LongSupplier pausedNanos) {
        this.pool = pool;
        this.pausedNanos = pausedNanos;
        times = new CarrierTimes(pool);
        attribution = new WaitAttribution(ledger, pool::isCarrier, new StackBudget(cpuNanos));
    }

    /**
     * Adds a sample.
     *
     * @param elapsedNanos the time since the sample before
     * @param firstNanos how much of it counts for a state that the sample before did not find
     * @param held how many of {@code carriers} are held
     * @param woken how many of those have been woken and are in the run queue
     * @param idle how many of them sleep without a virtual thread
     * @param reportedByHooks the pins in progress that hooks have reported
     * @param active returns all pins in progress, with their sites, at the cost of reading stacks
     * @return whether a carrier is left that runs virtual threads, or would be woken or made to do
     *     so
     */
    public boolean sample(
            long nowNanos,
            long elapsedNanos,
            long firstNanos,
            List<Thread> carriers,
            int held,
            int woken,
            int idle,
            Collection<ActivePin> reportedByHooks,
            Supplier<List<ActivePin>> active) {
        times.sample(nowNanos, elapsedNanos, carriers);
        heldInRunQueue.add(woken, elapsedNanos, firstNanos);
        int compensated = 0;
        for (ActivePin pin : reportedByHooks) {
            compensated += pin.compensated() ? 1 : 0;
        }
        LostCarriers now = LostCarriers.of(pool, held, idle, compensated);
        lost.add(now.count(), elapsedNanos, firstNanos);
        double byHeld = now.queuedByHeld();
        waitedBusy.add(now.queued() - byHeld, elapsedNanos, firstNanos);
        double newNanos = waitedHeld.add(byHeld, elapsedNanos, firstNanos);
        attribution.add(newNanos, elapsedNanos, reportedByHooks, active);
        return now.able() > 0;
    }

    /** Returns whether the system distinguishes runnable carriers from running ones. */
    public static boolean knowsRunnable() {
        return ThreadSchedStat.isAvailable();
    }

    /** Finds the process's control groups when they are first needed, which reads some files. */
    private synchronized CpuThrottling throttling() {
        CpuThrottling known = throttling;
        if (known == null) {
            known = CpuThrottling.ofThisProcess();
            throttling = known;
        }
        return known;
    }

    /**
     * Returns the figures until now.
     *
     * @param heldNanos for how long pins have held carriers since the agent started
     */
    public synchronized Totals count(long heldNanos) {
        CarrierTimes.Times counted =
                times.count(System.nanoTime(), Math.max(heldNanos - heldInRunQueue.sum(), 0));
        // a sample also finds carriers that stand still without a pin, such as for a safepoint
        long lostNanos = Math.max(newest.lostNanos(), Math.min(lost.sum(), heldNanos));
        Totals now =
                new Totals(
                        counted.heldNanos(),
                        counted.runningNanos(),
                        counted.runnableNanos(),
                        counted.idleNanos(),
                        lostNanos,
                        waitedHeld.sum(),
                        waitedBusy.sum(),
                        throttling().nanos(),
                        pausedNanos.getAsLong());
        newest = now;
        return now;
    }

    /** Returns the figures of the newest {@link #count}. */
    public Totals newest() {
        return newest;
    }
}
