package io.vtagent.relief;

import io.vtagent.hook.CarrierCompensator;
import io.vtagent.log.AgentLog;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.Compensation;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Compensates for held carriers in two ways.
 *
 * <ul>
 *   <li>At once, by the thread itself, when a pin begins at a site whose pins usually last: {@link
 *       #begin}.
 *   <li>Later, by the agent's own thread, for every other pin that lasts, including those that no
 *       sensor reports: {@link #sample}.
 * </ul>
 *
 * <p>A pin that ends soon is left alone, because it costs more to wake a carrier and put it to
 * sleep again. What the scheduler compensates by itself ({@code Object.wait} up to JDK 23, file
 * I/O) is left to it.
 */
public final class Relief implements CarrierCompensator, ReliefFigures {
    /**
     * The usual duration of a site's pins from which they are compensated at once. It is several
     * times the cost of waking a thread of the operating system and putting it to sleep again.
     */
    static final long WORTH_NANOS = 100_000;

    /** A pin that has lasted this long is compensated, whatever is usual at its site. */
    static final long LATE_NANOS = 5_000_000;

    /**
     * Takes the place of the result of {@link Compensation#begin} for a pin that was not
     * compensated although it will last.
     */
    private static final long LEFT = -1;

    /**
     * A compensation that began after its pin. It ends with the pin, or when a sample finds that
     * the pin has ended, whichever comes first.
     */
    private static final class Rescue {
        private final Thread carrier;
        private final long begunAtNanos;
        private final long begun;

        /** Whether the pin counts as {@link #LEFT} until it ends. */
        private final boolean left;

        /** The time of the last sample that found the pin. */
        private volatile long seenNanos;

        private final AtomicBoolean taken = new AtomicBoolean();
        private volatile boolean ended;

        Rescue(ActivePin pin, long begunAtNanos, long begun) {
            carrier = pin.carrier();
            this.begunAtNanos = begunAtNanos;
            seenNanos = begunAtNanos;
            this.begun = begun;
            left = pin.refused();
        }

        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    private final CarrierPool pool;
    private final Compensation compensation;
    private final SurplusCarrierParking resting;
    private final int maxPoolSize;
    private volatile int most;
    private volatile int mostAtATime;
    private final AtomicInteger inProgress = new AtomicInteger();
    private volatile boolean limitReached;
    private volatile boolean limitLogged;
    private volatile @Nullable Thread rescuer;

    /** Whether a carrier was made since the rescuer asked for one. Used by that thread only. */
    private boolean carrierMade;

    private final AtomicLong added = new AtomicLong();
    private final AtomicLong relievedNanos = new AtomicLong();
    private final AtomicLong relievedPins = new AtomicLong();

    /**
     * Keyed by virtual thread. Only {@link #sample} and {@link #lost} write to it; the threads
     * themselves read.
     */
    private final Map<Thread, Rescue> rescues = new ConcurrentHashMap<>();

    /**
     * @param most the most carriers that are added at a time
     * @throws LinkageError if this JDK's scheduler cannot compensate
     */
    public Relief(CarrierPool pool, int most) {
        this.pool = pool;
        compensation = pool.compensation();
        resting = new SurplusCarrierParking(pool, compensation);
        maxPoolSize = pool.max();
        limit(most);
    }

    /** Sets how many carriers are added at a time, at most. */
    public void limit(int newMost) {
        most = newMost;
        // the scheduler adds a carrier only when no more than minRunnable run
        mostAtATime = newMost + pool.parallelism() - pool.minRunnable();
        limitLogged = false;
        limitReached = false;
    }

    @Override
    public void warmUp() {
        compensation.warmUp();
        resting.warmUp();
    }

    @Override
    public boolean wants(Site site) {
        long usual = site.usualNanos();
        boolean worth = usual == Site.UNKNOWN || usual >= WORTH_NANOS;
        return worth && rescuer != null; // without it, nothing limits how many carriers run
    }

    /**
     * Returns whether {@code carrier} is one of the default scheduler's. That scheduler adds no
     * carriers for those of a scheduler of the application.
     */
    @Override
    public boolean compensates(Thread carrier) {
        return pool.isCarrier(carrier);
    }

    @Override
    public long begin(Site site) {
        if (!wants(site)) {
            return NOTHING;
        }
        long begun = begin();
        if (begun == NOTHING) {
            resting.leftAtWork(1);
            return LEFT;
        }
        return begun;
    }

    private long begin() {
        if (inProgress.incrementAndGet() > mostAtATime) {
            inProgress.decrementAndGet();
            limitReached = true;
            return 0;
        }
        long begun = 0;
        try {
            long woken = resting.wakeInstead();
            begun = woken == 0 ? compensation.begin() : woken;
            if (begun == 0) {
                limitReached = true;
            }
        } finally {
            if (begun == 0) { // refused or failed
                inProgress.decrementAndGet();
            }
        }
        return begun;
    }

    @Override
    public void end(long begun, long heldNanos) {
        if (CarrierCompensator.isCompensated(begun)) {
            ended(begun, heldNanos, heldNanos != UNTIMED);
            return;
        }
        if (heldNanos >= LATE_NANOS
                || heldNanos == UNTIMED) { // an untimed one is late if its thread lost its CPU
            Rescue rescue = rescues.get(Thread.currentThread());
            if (rescue != null) {
                endOf(rescue, System.nanoTime(), heldNanos != UNTIMED);
            }
        }
        if (begun == LEFT) {
            resting.leftAtWork(-1);
        }
    }

    @Override
    public void unmounted() {
        resting.restIfTooMany();
    }

    private void endOf(Rescue rescue, long endNanos, boolean wasPin) {
        if (rescue.take()) {
            try {
                ended(rescue.begun, endNanos - rescue.begunAtNanos, wasPin);
                rescue.ended = true;
                if (rescue.left) {
                    resting.leftAtWork(1);
                }
            } finally {
                rescue.taken.set(rescue.ended); // if it failed, the next sample takes it
            }
        }
    }

    private void release(long begun) {
        compensation.end(begun); // comes first: if it fails, it is retried
        inProgress.decrementAndGet();
    }

    private void ended(long begun, long heldNanos, boolean wasPin) {
        release(begun);
        if (wasPin) {
            relievedNanos.addAndGet(heldNanos);
            relievedPins.incrementAndGet();
        }
    }

    /**
     * Compensates for pins that have lasted long, and keeps the number of running carriers as it
     * was. For one thread.
     *
     * @param reportedByHooks the pins in progress that hooks have reported
     * @param sampled the other pins in progress, which only the sampler has found
     */
    public void sample(
            long nowNanos, Collection<ActivePin> reportedByHooks, Collection<ActivePin> sampled) {
        rescuer = Thread.currentThread();
        logLimit();
        Set<Thread> still = new HashSet<>();
        int left = 0;
        for (ActivePin pin : reportedByHooks) {
            rescue(pin, nowNanos, still);
        }
        for (ActivePin pin : sampled) {
            left += rescue(pin, nowNanos, still) ? 0 : 1;
        }
        endRescues(still);
        resting.sample(left);
    }

    /**
     * Ends all compensation that {@link #sample} began, and begins none until it is called again.
     * For the same thread.
     */
    public void lost() {
        rescuer = null;
        endRescues(Set.of());
        resting.lost();
    }

    private void endRescues(Set<Thread> still) {
        rescues.forEach(
                (thread, rescue) -> {
                    if (!still.contains(thread)) {
                        endOf(rescue, rescue.seenNanos, true); // it ended some time after that
                        if (rescue.ended) { // if not, its thread has taken it, and may fail
                            rescues.remove(thread);
                        }
                    }
                });
    }

    /**
     * Compensates for {@code pin} if it is due; returns false if that is refused. Adds the threads
     * of compensated pins to {@code still}.
     */
    private boolean rescue(ActivePin pin, long nowNanos, Set<Thread> still) {
        Thread thread = pin.thread();
        Rescue rescue = rescues.get(thread);
        // a compensated pin is another one, whose thread has asked for compensation itself
        if (rescue != null
                && rescue.carrier == pin.carrier()
                && !rescue.taken.get()
                && !pin.compensated()) {
            rescue.seenNanos = nowNanos;
            still.add(thread);
            return true;
        }
        boolean late =
                pin.ageNanos() >= LATE_NANOS && !pin.compensated() && pin.kind() != PinKind.IO;
        if (!late || rescue != null) {
            return true;
        }
        carrierMade = false;
        long begun = begin();
        if (carrierMade && begun != 0) {
            carrierAdded();
        }
        if (begun != 0) {
            Rescue added;
            try {
                added = new Rescue(pin, nowNanos, begun);
                rescues.put(thread, added);
            } catch (Throwable noMemory) { // nothing else would end it
                release(begun);
                throw noMemory;
            }
            if (added.left) { // the scheduler does not count it as at work while it is compensated
                resting.leftAtWork(-1);
            }
            still.add(thread);
        }
        return begun != 0;
    }

    /** Returns the number of carriers that are compensated at this moment. */
    public int compensatedCarriers() {
        return inProgress.get();
    }

    @Override
    public void carrierAdded() {
        if (pool.size() > pool.parallelism()) { // else it would have come anyway
            added.incrementAndGet();
        }
    }

    @Override
    public void carrierMade(Thread maker) {
        if (maker == rescuer) {
            carrierMade = true;
        }
    }

    @Override
    public long added() {
        return added.get();
    }

    @Override
    public long pins() {
        return relievedPins.get();
    }

    @Override
    public long nanos() {
        return relievedNanos.get();
    }

    private void logLimit() {
        String sentence = limitMessage();
        if (sentence != null) {
            AgentLog.info(sentence);
        }
    }

    /** Returns a sentence on the limit that was reached, once; else null. */
    @Nullable String limitMessage() {
        if (!limitReached || limitLogged) {
            return null;
        }
        limitLogged = true;
        return "relief has reached its limit: "
                + (most < maxPoolSize
                        ? "relief=" + most
                        : "jdk.virtualThreadScheduler.maxPoolSize=" + maxPoolSize)
                + "; further held carriers are not compensated";
    }
}
