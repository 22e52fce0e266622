package io.vtagent.relief;

import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.Reliever;
import io.vtagent.record.Site;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Compensation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Makes up for carriers that are held, in two ways.
 *
 * <ul>
 *   <li>At once, by the thread itself, where a pin begins at a site whose pins usually last: {@link #begin}.
 *   <li>Later, by the agent's own thread, for every pin that lasts nevertheless, and for those that no sensor notices: {@link #look}.
 * </ul>
 *
 * <p>A pin that ends soon is left alone: to wake a carrier and put it to sleep again costs more. What the scheduler compensates by
 * itself ({@code Object.wait} up to JDK 23, file I/O) is left to it.
 */
public final class Relief implements Reliever {
    /**
     * The usual duration of the pins of a site from which on they are made up for at once: some times what it costs to wake a thread
     * of the operating system and put it to sleep again.
     */
    static final long WORTH_NANOS = 100_000;

    /** A pin that has lasted for this long is made up for whatever is usual. */
    static final long LATE_NANOS = 5_000_000;

    private record Rescue(Thread carrier, Thread thread, long begunAtNanos, long begun) {}

    private final CarrierPool pool;
    private final Compensation compensation;
    private final Resting resting;
    private final int most;
    private final int mostAtATime;
    private final int maxPoolSize;
    private final AtomicInteger inProgress = new AtomicInteger();
    private final AtomicInteger woken = new AtomicInteger();
    private volatile boolean limitReached;
    private boolean limitSaid;
    private volatile @Nullable Thread rescuer;
    private final LongAdder added = new LongAdder();
    private final LongAdder relievedNanos = new LongAdder();
    private final LongAdder relievedPins = new LongAdder();
    private Map<Thread, Rescue> rescues = new HashMap<>();

    /**
     * @param most the most carriers that are added at a time
     * @throws LinkageError if this JDK's scheduler does not offer it
     */
    public Relief(CarrierPool pool, int most) {
        this.pool = pool;
        compensation = pool.compensation();
        resting = new Resting(pool);
        this.most = most;
        // the scheduler adds none before only minRunnable carriers run
        mostAtATime = most + pool.parallelism() - pool.minRunnable();
        maxPoolSize = pool.max();
    }

    @Override
    public long begin(Site site) {
        long usual = site.usualNanos();
        return usual == Site.UNKNOWN || usual >= WORTH_NANOS ? begin() : 0;
    }

    private long begin() {
        if (rescuer == null) {
            return 0; // nobody would see to it that not too many carriers run
        }
        if (inProgress.incrementAndGet() > mostAtATime) {
            inProgress.decrementAndGet();
            limitReached = true;
            return 0;
        }
        if (resting.wakeOne()) {
            woken.incrementAndGet();
            return Resting.WOKEN;
        }
        long begun = compensation.begin();
        if (begun == 0) {
            inProgress.decrementAndGet();
            limitReached = true;
        }
        return begun;
    }

    @Override
    public void end(long begun, long heldNanos) {
        relievedNanos.add(heldNanos);
        relievedPins.increment();
        if (begun == Resting.WOKEN) {
            woken.decrementAndGet();
        } else {
            compensation.end(begun);
        }
        inProgress.decrementAndGet(); // last, or the limit would not hold
    }

    /**
     * Makes up for what has been held for long, and sees to it that no more carriers run than before. For one thread.
     *
     * @param noticed the pins in progress that the sensors know of
     * @param seen those that they do not
     * @param held carriers that are held, whatever by
     */
    public void look(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen, int held) {
        rescuer = Thread.currentThread();
        sayLimit();
        Map<Thread, Rescue> still = new HashMap<>();
        int compensated = 0;
        for (Collection<ActivePin> pins : List.of(noticed, seen)) {
            for (ActivePin pin : pins) {
                compensated += pin.compensated() ? 1 : 0;
                Rescue rescue = rescueOf(pin, nowNanos);
                if (rescue != null) {
                    still.put(pin.carrier(), rescue);
                }
            }
        }
        for (Rescue rescue : rescues.values()) {
            if (still.get(rescue.carrier) != rescue) {
                end(rescue.begun, nowNanos - rescue.begunAtNanos);
            }
        }
        rescues = still;
        int madeUpFor = compensated + still.size() - woken.get();
        resting.look(Math.max(held - madeUpFor, 0));
    }

    /** The rescue of {@code pin}, the one in progress or, if it has come to that, a new one; null if there is none. */
    private @Nullable Rescue rescueOf(ActivePin pin, long nowNanos) {
        Rescue rescue = rescues.get(pin.carrier());
        if (rescue != null && rescue.thread == pin.thread()) {
            return rescue;
        }
        boolean late = pin.ageNanos() >= LATE_NANOS && !pin.compensated() && pin.kind() != PinKind.IO;
        long begun = late ? begin() : 0;
        return begun == 0 ? null : new Rescue(pin.carrier(), pin.thread(), nowNanos, begun);
    }

    @Override
    public void carrierAdded() {
        if (pool.size() > pool.parallelism()) { // or it would have come anyway
            added.increment();
        }
    }

    @Override
    public boolean isAsking(Thread thread) {
        return thread == rescuer;
    }

    /** Carriers that the scheduler added when relief asked it to make up for one. */
    public long added() {
        return added.sum();
    }

    /** Pins that were made up for and have ended. */
    public long pins() {
        return relievedPins.sum();
    }

    /** Carrier time that was made up for, of pins that have ended, in nanoseconds. */
    public long nanos() {
        return relievedNanos.sum();
    }

    private void sayLimit() {
        if (limitReached && !limitSaid) {
            limitSaid = true;
            AgentLog.info("relief has reached its limit: "
                    + (most < maxPoolSize ? "relief=" + most : "jdk.virtualThreadScheduler.maxPoolSize=" + maxPoolSize)
                    + "; further held carriers are not made up for");
        }
    }
}
