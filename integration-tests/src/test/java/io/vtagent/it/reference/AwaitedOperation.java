package io.vtagent.it.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A workload in rounds. In every round a platform thread does something for a while that the
 * virtual threads then have to wait for, and nothing else blocks these. The subject is made anew
 * for each round.
 *
 * @param <T> the subject
 */
abstract class AwaitedOperation<T> implements Workload {
    static final long MILLIS = 50;

    private final List<Round> rounds = new ArrayList<>();

    /**
     * @param limit for how long there are rounds
     */
    final void prepare(Duration limit) throws Exception {
        for (long i = limit.toMillis() / MILLIS + 2; i > 0; i--) {
            rounds.add(new Round());
        }
    }

    /**
     * @param begun to be run by the platform thread when the others would have to wait
     */
    abstract T create(Runnable begun) throws Exception;

    /** Runs on the platform thread; ends by {@link #block()} after {@code begun} was run. */
    abstract void first(T subject) throws Exception;

    /** Runs on the virtual threads. */
    abstract void then(T subject) throws Exception;

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    static void block() {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    /** As {@link #block}, in {@code Object.wait}. */
    static void waitForAWhile() {
        Object monitor = new Object();
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        try {
            synchronized (monitor) {
                long leftNanos = endNanos - System.nanoTime();
                while (leftNanos > 0) {
                    TimeUnit.NANOSECONDS.timedWait(monitor, leftNanos);
                    leftNanos = endNanos - System.nanoTime();
                }
            }
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @Override
    public final void hold(int thread, int round) throws Exception {
        rounds.get(round).hold();
    }

    private final class Round {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final AtomicBoolean started = new AtomicBoolean();
        private final T subject = create(begun::countDown);

        Round() throws Exception {}

        void hold() throws Exception {
            if (started.compareAndSet(false, true)) {
                Thread.ofPlatform().start(this::first);
            }
            begun.await();
            then(subject);
        }

        private void first() {
            try {
                AwaitedOperation.this.first(subject);
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        }
    }
}
