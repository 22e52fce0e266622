package io.vtagent.demo.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Runs a task in many threads, as a server runs a handler for each of its requests. */
public final class Load {

    private static final int WARM_UP_TASKS = 200;
    private static final int WARM_UP_THREADS = 20;

    /** The work of one thread; {@code number} counts from 0. */
    @FunctionalInterface
    public interface Task {
        void run(int number) throws Exception;
    }

    private Load() {}

    /**
     * Runs {@code task} before it is measured: on platform threads, and then once on a virtual
     * thread that is alone.
     *
     * <p>A virtual thread that is the first to use a class also loads and initializes it, and that
     * can hold the carrier: reading a class from a jar does, and so does waiting for another
     * thread's class initializer. The measured run of a fixed variant must not have even that.
     * {@code task} 0 is what the lone thread repeats.
     */
    public static void warmUp(Task task) throws InterruptedException {
        run(
                Thread.ofPlatform().name("warm-up-", 0).factory(),
                WARM_UP_TASKS,
                WARM_UP_THREADS,
                task);
        // On JDK 21 a virtual thread's first socket read and the poller that it starts both need
        // this class.
        new LinkedTransferQueue<Task>().add(task);
        run(
                1,
                1,
                number -> {
                    task.run(number);
                    LockSupport.parkNanos(1);
                });
    }

    /**
     * Runs {@code task} once on each of {@code tasks} virtual threads, of which {@code inFlight}
     * live at a time.
     *
     * @return the seconds from the start of the first to the end of the last
     */
    public static double run(int tasks, int inFlight, Task task) throws InterruptedException {
        return run(Thread.ofVirtual().name("task-", 0).factory(), tasks, inFlight, task);
    }

    /** The same for tasks that run on no thread of their own. */
    @SuppressWarnings("FutureReturnValueIgnored") // what comes of it is noted before
    public static double runStages(int tasks, int inFlight, IntFunction<CompletableFuture<?>> start)
            throws InterruptedException {
        Semaphore places = new Semaphore(inFlight);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long startedAtNanos = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            places.acquire();
            start.apply(i)
                    .whenComplete(
                            (done, thrown) -> {
                                failure.compareAndSet(null, thrown);
                                places.release();
                            });
        }
        places.acquire(inFlight);
        return secondsSince(startedAtNanos, failure);
    }

    /** The same on {@code threads} of whatever kind. */
    public static double run(ThreadFactory threads, int tasks, int inFlight, Task task)
            throws InterruptedException {
        Semaphore places = new Semaphore(inFlight);
        CountDownLatch running = new CountDownLatch(tasks);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long startedAtNanos = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            int number = i;
            places.acquire();
            threads.newThread(
                            () -> {
                                try {
                                    task.run(number);
                                } catch (Throwable e) {
                                    failure.compareAndSet(null, e);
                                } finally {
                                    places.release();
                                    running.countDown();
                                }
                            })
                    .start();
        }
        running.await();
        return secondsSince(startedAtNanos, failure);
    }

    private static double secondsSince(long startedAtNanos, AtomicReference<Throwable> failure) {
        double seconds = (System.nanoTime() - startedAtNanos) / 1e9;
        if (failure.get() != null) {
            throw new IllegalStateException("a task failed", failure.get());
        }
        return seconds;
    }
}
