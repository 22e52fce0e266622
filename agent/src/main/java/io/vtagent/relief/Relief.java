package io.vtagent.relief;

import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.Reliever;
import io.vtagent.record.Site;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Compensation;
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
public final class Relief implements Reliever, ReliefFigures {
    /**
     * The usual duration of the pins of a site from which on they are made up for at once: some times what it costs to wake a thread
     * of the operating system and put it to sleep again.
     */
    static final long WORTH_NANOS = 100_000;

    /** A pin that has lasted for this long is made up for whatever is usual. */
    static final long LATE_NANOS = 5_000_000;

    /** Instead of what {@link Compensation#begin} gives: the pin was not made up for, though it will last. */
    private static final long LEFT = -1;

    /** Relief that began later. It ends with the pin, or when the pin is seen to have ended: whoever takes it first. */
    private static final class Rescue {
        private final Thread carrier;
        private final long begunAtNanos;
        private final long begun;
        /** When the pin was seen last. */
        private volatile long seenNanos;

        private final AtomicBoolean taken = new AtomicBoolean();
        private volatile boolean ended;

        Rescue(Thread carrier, long begunAtNanos, long begun) {
            this.carrier = carrier;
            this.begunAtNanos = begunAtNanos;
            seenNanos = begunAtNanos;
            this.begun = begun;
        }

        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    private final CarrierPool pool;
    private final Compensation compensation;
    private final Resting resting;
    private final int maxPoolSize;
    private volatile int most;
    private volatile int mostAtATime;
    private final AtomicInteger inProgress = new AtomicInteger();
    private volatile boolean limitReached;
    private volatile boolean limitSaid;
    private volatile @Nullable Thread rescuer;
    /** Whether a carrier was made since the rescuer asked for one. Of that thread alone. */
    private boolean carrierMade;

    private final AtomicLong added = new AtomicLong();
    private final AtomicLong relievedNanos = new AtomicLong();
    private final AtomicLong relievedPins = new AtomicLong();
    /** By virtual thread. Only {@link #look} writes to it, the threads themselves read. */
    private final Map<Thread, Rescue> rescues = new ConcurrentHashMap<>();

    /**
     * @param most the most carriers that are added at a time
     * @throws LinkageError if this JDK's scheduler does not offer it
     */
    public Relief(CarrierPool pool, int most) {
        this.pool = pool;
        compensation = pool.compensation();
        resting = new Resting(pool, compensation);
        maxPoolSize = pool.max();
        limit(most);
    }

    /** From now on adds at most so many carriers at a time. */
    public void limit(int newMost) {
        most = newMost;
        // the scheduler adds none before only minRunnable carriers run
        mostAtATime = newMost + pool.parallelism() - pool.minRunnable();
        limitSaid = false;
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
        return worth && rescuer != null; // without it nobody would see to it that not too many carriers run
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
            if (begun == 0) { // refused, or it failed
                inProgress.decrementAndGet();
            }
        }
        return begun;
    }

    @Override
    public void end(long begun, long heldNanos) {
        if (begun == LEFT) {
            resting.leftAtWork(-1);
        } else if (begun != NOTHING) {
            ended(begun, heldNanos, heldNanos != UNTIMED);
        } else if (heldNanos >= LATE_NANOS
                || heldNanos == UNTIMED) { // which took as long if the thread lost its processor
            Rescue rescue = rescues.get(Thread.currentThread());
            if (rescue != null) {
                endOf(rescue, System.nanoTime(), heldNanos != UNTIMED);
            }
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
            } finally {
                rescue.taken.set(rescue.ended); // or the next look takes it
            }
        }
    }

    private void giveBack(long begun) {
        compensation.end(begun); // first: if it fails, it is tried again
        inProgress.decrementAndGet();
    }

    private void ended(long begun, long heldNanos, boolean wasPin) {
        giveBack(begun);
        if (wasPin) {
            relievedNanos.addAndGet(heldNanos);
            relievedPins.incrementAndGet();
        }
    }

    /**
     * Makes up for what has been held for long, and sees to it that no more carriers run than before. For one thread.
     *
     * @param noticed the pins in progress that the sensors know of
     * @param seen those that they do not
     */
    public void look(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen) {
        rescuer = Thread.currentThread();
        sayLimit();
        Set<Thread> still = new HashSet<>();
        int left = 0;
        for (ActivePin pin : noticed) {
            rescue(pin, nowNanos, still);
        }
        for (ActivePin pin : seen) {
            left += rescue(pin, nowNanos, still) ? 0 : 1;
        }
        endRescues(still);
        resting.look(left);
    }

    /** Lets go of all that {@link #look} made up for, and begins nothing before it is called again. For the same thread. */
    public void lost() {
        rescuer = null;
        endRescues(Set.of());
        resting.lost();
    }

    private void endRescues(Set<Thread> still) {
        rescues.forEach((thread, rescue) -> {
            if (!still.contains(thread)) {
                endOf(rescue, rescue.seenNanos, true); // it is over since some time after that
                if (rescue.ended) { // or its thread has taken it, and may fail
                    rescues.remove(thread);
                }
            }
        });
    }

    /** Makes up for {@code pin}, if it has come to that; false if that is refused. The threads of those that are made up for go to {@code still}. */
    private boolean rescue(ActivePin pin, long nowNanos, Set<Thread> still) {
        Thread thread = pin.thread();
        Rescue rescue = rescues.get(thread);
        // one that is compensated is another pin, for which its thread has asked itself
        if (rescue != null && rescue.carrier == pin.carrier() && !rescue.taken.get() && !pin.compensated()) {
            rescue.seenNanos = nowNanos;
            still.add(thread);
            return true;
        }
        boolean late = pin.ageNanos() >= LATE_NANOS && !pin.compensated() && pin.kind() != PinKind.IO;
        if (!late || rescue != null) {
            return true;
        }
        carrierMade = false;
        long begun = begin();
        if (carrierMade && begun != 0) {
            carrierAdded();
        }
        if (begun != 0) {
            try {
                rescues.put(thread, new Rescue(pin.carrier(), nowNanos, begun));
            } catch (Throwable noMemory) { // nobody else would end it
                giveBack(begun);
                throw noMemory;
            }
            still.add(thread);
        }
        return begun != 0;
    }

    /** Carriers that are made up for at this moment. */
    public int madeUpFor() {
        return inProgress.get();
    }

    @Override
    public void carrierAdded() {
        if (pool.size() > pool.parallelism()) { // or it would have come anyway
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

    private void sayLimit() {
        String sentence = limitToSay();
        if (sentence != null) {
            AgentLog.info(sentence);
        }
    }

    /** Which limit was reached, once. */
    @Nullable
    String limitToSay() {
        if (!limitReached || limitSaid) {
            return null;
        }
        limitSaid = true;
        return "relief has reached its limit: "
                + (most < maxPoolSize ? "relief=" + most : "jdk.virtualThreadScheduler.maxPoolSize=" + maxPoolSize)
                + "; further held carriers are not made up for";
    }
}
