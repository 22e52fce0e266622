package io.vtagent.relief;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.Compensation;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Parks carriers that are not needed at the moment. The scheduler never takes a carrier out of work
 * while there is work, so the carriers that were added for pins would go on running virtual threads
 * after the pins are over: more than there are CPUs. Between two virtual threads such a carrier is
 * put to sleep, and the scheduler counts it as blocked. It is woken when the next pin begins, when
 * fewer carriers run than the scheduler aims at, and when there is no work. In the last case it
 * goes back to the scheduler, which ends it if it stays idle.
 *
 * <p>Assumes that {@link #sample} is called again and again: a sleeping carrier goes back to work
 * by itself after {@link #MAX_SLEEP_NANOS} without a call. Lock-free, except for carriers that go
 * to sleep.
 */
final class SurplusCarrierParking {
    private static final long MAX_SLEEP_NANOS = 1_000_000_000;

    /**
     * A surplus has to last this long before a carrier is put to sleep. With many short pins there
     * is now and then one carrier too many, and to put it to sleep is not worth it.
     */
    private static final long LASTING_NANOS = 10_000_000;

    private static final long NO_SURPLUS = Long.MIN_VALUE;

    /** A carrier that is woken goes on after this at the latest, if unparking it fails. */
    private static final long PARK_NANOS = 200_000_000;

    private final CarrierPool pool;
    private final Compensation compensation;
    private final Queue<Sleeper> sleepers = new ConcurrentLinkedQueue<>();
    private final Object goingToSleep = new Object();

    /**
     * Held carriers that the scheduler counts as at work, as reported by the threads themselves.
     */
    private final AtomicInteger left = new AtomicInteger();

    /**
     * Held carriers that the scheduler counts as at work and that only the sampler has found, as of
     * the last sample.
     */
    private volatile int leftUnnoticed;

    /**
     * Whether there were more carriers than the scheduler aims at, at the last sample. While there
     * are not, an unmount only costs a read of this field.
     */
    private volatile boolean someAdded;

    private volatile long surplusSinceNanos = NO_SURPLUS;
    private volatile long sampledAtNanos = System.nanoTime();

    SurplusCarrierParking(CarrierPool pool, Compensation compensation) {
        this.pool = pool;
        this.compensation = compensation;
    }

    private final class Sleeper {
        private final Thread carrier = Thread.currentThread();
        private final long begun;
        private volatile boolean woken;
        private volatile boolean endsItself;

        Sleeper(long begun) {
            this.begun = begun;
        }

        void sleep() {
            while (!woken) {
                pool.rest(PARK_NANOS);
                if (System.nanoTime() - sampledAtNanos > MAX_SLEEP_NANOS && sleepers.remove(this)) {
                    compensation.end(begun);
                    return;
                }
            }
            if (endsItself) {
                compensation.end(begun);
            }
        }

        void wake() {
            LockSupport.unpark(carrier);
        }
    }

    /** Loads the classes that the other methods need. */
    void warmUp() {
        Sleeper sleeper = new Sleeper(0);
        sleeper.woken = true;
        sleeper.wake();
        sleeper.sleep();
        sleepers.remove(sleeper);
    }

    /**
     * Returns how many more carriers run virtual threads now than the scheduler aims at; negative
     * if there are fewer.
     */
    private int surplus() {
        return pool.atWork() - left.get() - leftUnnoticed - pool.parallelism();
    }

    /**
     * Puts the current carrier, from which a virtual thread has just been unmounted, to sleep if it
     * is one too many.
     */
    void restIfTooMany() {
        if (!someAdded) {
            return;
        }
        long sinceNanos = surplusSinceNanos;
        if (surplus() <= 0) {
            if (sinceNanos != NO_SURPLUS) { // else all carriers would write it at each unmount
                surplusSinceNanos = NO_SURPLUS;
            }
            return;
        }
        long nowNanos = System.nanoTime();
        if (sinceNanos == NO_SURPLUS) {
            surplusSinceNanos = nowNanos;
            return;
        }
        if (nowNanos - sinceNanos < LASTING_NANOS || !pool.isCarrier(Thread.currentThread())) {
            return;
        }
        long begun = 0;
        synchronized (goingToSleep) { // else two would sleep where one is too many
            if (surplus() > 0) {
                begun = compensation.begin();
            }
        }
        if (begun != 0) {
            sleeper(begun).sleep();
        }
    }

    private Sleeper sleeper(long begun) {
        try {
            Sleeper sleeper = new Sleeper(begun);
            sleepers.add(sleeper);
            return sleeper;
        } catch (Throwable noMemory) { // nothing else would end it
            compensation.end(begun);
            throw noMemory;
        }
    }

    /**
     * Wakes a carrier in place of one that is held from now on, if there is one to wake and no
     * surplus of running ones.
     *
     * @return the token for {@link Compensation#end} when the carrier is no longer held; 0 if none
     *     was woken
     */
    long wakeInstead() {
        Sleeper sleeper = surplus() > 0 ? null : sleepers.poll();
        if (sleeper == null) {
            return 0;
        }
        sleeper.woken = true;
        try {
            sleeper.wake();
        } catch (Throwable nearTheEndOfTheStack) { // it wakes within PARK_NANOS
            return sleeper.begun;
        }
        return sleeper.begun;
    }

    /**
     * Adds {@code more}, which may be negative, to the number of held carriers that are not
     * compensated. The scheduler counts these as at work.
     */
    void leftAtWork(int more) {
        left.addAndGet(more);
    }

    /**
     * Sends carriers back to work if fewer run than the scheduler aims at, or if there is no work.
     * For one thread.
     *
     * @param newLeftUnnoticed held carriers that only the sampler has found and that the scheduler
     *     counts as at work
     */
    void sample(int newLeftUnnoticed) {
        sampledAtNanos = System.nanoTime();
        leftUnnoticed = newLeftUnnoticed;
        someAdded = pool.size() > pool.parallelism();
        if (!someAdded) {
            surplusSinceNanos = NO_SURPLUS;
        }
        sendBack(pool.isWorkQueued() ? -surplus() : Integer.MAX_VALUE);
    }

    /**
     * Sends all carriers back to work, and puts none to sleep until {@link #sample} is called
     * again. For the same thread.
     */
    void lost() {
        someAdded = false;
        sendBack(Integer.MAX_VALUE);
    }

    private void sendBack(int most) {
        for (int left = most; left > 0; left--) {
            Sleeper sleeper = sleepers.poll();
            if (sleeper == null) {
                return;
            }
            try {
                compensation.end(sleeper.begun);
            } catch (Throwable failed) {
                sleeper.endsItself = true;
                sleeper.woken = true; // it wakes within PARK_NANOS
                throw failed;
            }
            sleeper.woken = true;
            sleeper.wake();
        }
    }
}
