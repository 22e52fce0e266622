package io.vtagent.relief;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Compensation;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Carriers that are not needed at the moment. The scheduler never takes a carrier out of work while there is some, so those that were
 * added for pins would go on to run virtual threads when the pins are over: more than the processors can. Between two virtual threads
 * such a carrier is put to sleep, and the scheduler is told that it is blocked. It is woken when the next pin begins, when fewer
 * carriers run than the scheduler aims at, and when there is no work: then it goes back to the scheduler, which ends it if it stays
 * idle.
 *
 * <p>Assumes that {@link #look} is called again and again: a sleeper that hears nothing for {@link #LONGEST_SLEEP_NANOS} goes back to
 * work by itself. Lock-free, but for carriers that go to sleep.
 */
final class Resting {
    private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;
    /** To put a carrier to sleep for less is not worth it: with many short pins there is one too many now and then. */
    private static final long LASTING_NANOS = 10_000_000;

    private static final long NO_SURPLUS = Long.MIN_VALUE;
    /** Who is woken goes on after this at the latest, if unparking it fails. */
    private static final long NAP_NANOS = 200_000_000;

    private final CarrierPool pool;
    private final Compensation compensation;
    private final Queue<Sleeper> sleepers = new ConcurrentLinkedQueue<>();
    private final Object goingToSleep = new Object();
    /** Carriers that are held and that the scheduler counts as at work, as the threads themselves know ... */
    private final AtomicInteger left = new AtomicInteger();
    /** ... and as it was seen. */
    private volatile int leftUnnoticed;

    /** Whether there are more carriers than the scheduler aims at, at the last look. As long as there are not, an unmount costs a read of this. */
    private volatile boolean someAdded;

    private volatile long surplusSinceNanos = NO_SURPLUS;
    private volatile long lookedAtNanos = System.nanoTime();

    Resting(CarrierPool pool, Compensation compensation) {
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
                LockSupport.parkNanos(Resting.this, NAP_NANOS);
                if (System.nanoTime() - lookedAtNanos > LONGEST_SLEEP_NANOS && sleepers.remove(this)) {
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

    /** Loads what the others need. */
    void warmUp() {
        Sleeper sleeper = new Sleeper(0);
        sleeper.woken = true;
        sleeper.wake();
        sleeper.sleep();
        sleepers.remove(sleeper);
    }

    /** Carriers that run virtual threads now, beyond those that the scheduler aims at; negative if there are fewer. */
    private int surplus() {
        return pool.atWork() - left.get() - leftUnnoticed - pool.parallelism();
    }

    /** Puts the current carrier, from which a virtual thread has just been unmounted, to sleep, if it is one too many. */
    void restIfTooMany() {
        if (!someAdded) {
            return;
        }
        long sinceNanos = surplusSinceNanos;
        if (surplus() <= 0) {
            if (sinceNanos != NO_SURPLUS) { // or all carriers would write to it at each unmount
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
        synchronized (goingToSleep) { // or two would go where one is too many
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
        } catch (Throwable noMemory) { // nobody else would end it
            compensation.end(begun);
            throw noMemory;
        }
    }

    /**
     * Wakes a carrier in place of one that is held from now on, if there is one to wake and no more run than ought to.
     *
     * @return what {@link Compensation#end} is to be given when it is not held any more; 0 if none was woken
     */
    long wakeInstead() {
        Sleeper sleeper = surplus() > 0 ? null : sleepers.poll();
        if (sleeper == null) {
            return 0;
        }
        sleeper.woken = true;
        try {
            sleeper.wake();
        } catch (Throwable nearTheEndOfTheStack) { // it goes on after its nap
            return sleeper.begun;
        }
        return sleeper.begun;
    }

    /** So many more, or fewer, carriers are held and not made up for, so that the scheduler counts them as at work. */
    void leftAtWork(int more) {
        left.addAndGet(more);
    }

    /**
     * Sends carriers back to work if there are fewer than there ought to be, or nothing to do. For one thread.
     *
     * @param newLeftUnnoticed carriers that are held unnoticed and that the scheduler counts as at work
     */
    void look(int newLeftUnnoticed) {
        lookedAtNanos = System.nanoTime();
        leftUnnoticed = newLeftUnnoticed;
        someAdded = pool.size() > pool.parallelism();
        if (!someAdded) {
            surplusSinceNanos = NO_SURPLUS;
        }
        sendBack(pool.isWorkQueued() ? -surplus() : Integer.MAX_VALUE);
    }

    /** Sends all back, and none to sleep before {@link #look} is called again. For the same thread. */
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
                sleeper.woken = true; // after its nap
                throw failed;
            }
            sleeper.woken = true;
            sleeper.wake();
        }
    }
}
