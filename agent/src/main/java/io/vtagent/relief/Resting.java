package io.vtagent.relief;

import io.vtagent.vm.CarrierPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Carriers that are not needed at the moment. The scheduler never takes a carrier out of work while there is some, so those that were
 * added for pins would go on to run virtual threads when the pins are over: more than the processors can. Such a carrier is given a
 * task that sleeps. It is woken when the next pin begins or when fewer carriers run than the scheduler aims at, and goes back to the
 * scheduler, which ends it if it stays idle, when there is no work.
 *
 * <p>Assumes that {@link #look} is called again and again: a sleeper that hears nothing for {@link #LONGEST_SLEEP_NANOS} goes back to
 * work by itself.
 */
final class Resting {
    /** Relief that was had by waking a carrier that rested. */
    static final long WOKEN = -1;

    private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;
    private static final long NAP_NANOS = 200_000_000;

    private final CarrierPool pool;
    private final Queue<Sleeper> sleepers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sent = new AtomicInteger();
    private int surplusBefore;
    private volatile long lookedAtNanos = System.nanoTime();

    Resting(CarrierPool pool) {
        this.pool = pool;
    }

    private final class Sleeper implements Runnable {
        private volatile boolean woken;
        private volatile Thread carrier = Thread.currentThread();

        @Override
        public void run() {
            carrier = Thread.currentThread();
            sent.decrementAndGet();
            sleepers.add(this);
            while (!woken && System.nanoTime() - lookedAtNanos < LONGEST_SLEEP_NANOS) {
                LockSupport.parkNanos(this, NAP_NANOS);
            }
            sleepers.remove(this);
        }

        void wake() {
            woken = true;
            LockSupport.unpark(carrier);
        }
    }

    /** Sends one carrier back to work; false if none rests. Lock-free, for virtual threads. */
    boolean wakeOne() {
        Sleeper sleeper = sleepers.poll();
        if (sleeper == null) {
            return false;
        }
        sleeper.wake();
        return true;
    }

    /**
     * Sends carriers to rest, or back to work. For one thread.
     *
     * @param heldAtWork carriers that are held and that the scheduler counts as at work
     */
    void look(int heldAtWork) {
        lookedAtNanos = System.nanoTime();
        int surplus = pool.atWork() - sleepers.size() - heldAtWork - pool.parallelism();
        boolean queued = pool.isWorkQueued();
        // twice in a row, since a moment's surplus passes
        for (int more = Math.min(surplus, surplusBefore) - sent.get(); queued && more > 0; more--) {
            sent.incrementAndGet();
            pool.execute(new Sleeper());
        }
        for (int fewer = queued ? -surplus : sleepers.size(); fewer > 0 && wakeOne(); ) {
            fewer--;
        }
        surplusBefore = surplus;
    }
}
