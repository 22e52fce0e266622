package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code THREADS}: virtual threads that hold monitors at twenty places while each of ten operations
 * blocks for some milliseconds, over and over: 200 sites. It prints {@code held} when each has been
 * held once, and ends with its stdin.
 */
public final class ManyHolders {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    private static volatile boolean ended;

    private interface Operation {
        void block() throws InterruptedException;
    }

    private interface Place {
        void hold(Object monitor, Operation operation) throws InterruptedException;
    }

    private static final List<Operation> OPERATIONS =
            List.of(
                    () -> TimeUnit.NANOSECONDS.sleep(NANOS),
                    () -> Thread.sleep(3),
                    () ->
                            unused(
                                    new LinkedBlockingQueue<String>()
                                            .poll(NANOS, TimeUnit.NANOSECONDS)),
                    () ->
                            unused(
                                    new ArrayBlockingQueue<String>(1)
                                            .poll(NANOS, TimeUnit.NANOSECONDS)),
                    () ->
                            unused(
                                    new SynchronousQueue<String>()
                                            .offer("", NANOS, TimeUnit.NANOSECONDS)),
                    () -> unused(new Semaphore(0).tryAcquire(NANOS, TimeUnit.NANOSECONDS)),
                    () -> unused(new CountDownLatch(1).await(NANOS, TimeUnit.NANOSECONDS)),
                    () ->
                            unused(
                                    new LinkedTransferQueue<String>()
                                            .poll(NANOS, TimeUnit.NANOSECONDS)),
                    ManyHolders::awaitCondition,
                    ManyHolders::awaitPhase);

    /** Each has lines of its own. */
    private static final List<Place> PLACES =
            List.of(
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    },
                    (monitor, operation) -> {
                        synchronized (monitor) {
                            operation.block();
                        }
                    });

    private ManyHolders() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        CountDownLatch once = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.ofVirtual()
                    .name("holder-" + i)
                    .start(
                            () -> {
                                holdAll();
                                once.countDown();
                                while (!ended) {
                                    holdAll();
                                }
                            });
        }
        once.await();
        WorkloadConsole.printAndWait("held");
        ended = true;
    }

    private static void holdAll() {
        try {
            for (Place place : PLACES) {
                for (Operation operation : OPERATIONS) {
                    place.hold(new Object(), operation);
                }
            }
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private static void awaitCondition() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            unused(lock.newCondition().awaitNanos(NANOS));
        } finally {
            lock.unlock();
        }
    }

    private static void awaitPhase() throws InterruptedException {
        try {
            unused(new Phaser(1).awaitAdvanceInterruptibly(0, NANOS, TimeUnit.NANOSECONDS));
        } catch (TimeoutException asItShould) {
            // not reached
        }
    }

    private static void unused(Object unusedResult) {}
}
