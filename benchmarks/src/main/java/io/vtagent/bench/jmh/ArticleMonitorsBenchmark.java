package io.vtagent.bench.jmh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The benchmark of the article "Virtual Thread Mechanics and the Pinning Problem", for the demo's
 * case {@code monitors}: tasks a second of 1,000 virtual threads that sleep for 10 ms each and
 * compute a little. The article's code has one lock for them all ({@code shared}), of which none
 * can let through more than 100 tasks a second; its figures for eight carriers (92,000, 8,500, and
 * 780) ask for locks of their own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 5)
@Fork(value = 1, jvmArgsAppend = "-Djdk.virtualThreadScheduler.parallelism=8")
public class ArticleMonitorsBenchmark {
    private static final int TASKS = 1_000;
    private static final int IO_MILLIS = 10;

    /** The owner of the lock. */
    public enum Lock {
        OWN,
        SHARED
    }

    /** The work of a task with its number. */
    private interface Task {
        long run(int number) throws InterruptedException;
    }

    @Param public Lock lock = Lock.OWN;

    // in arrays: the compiler elides a monitor that it can prove to be thread-local
    private final Object[] monitors = new Object[TASKS];
    private final ReentrantLock[] locks = new ReentrantLock[TASKS];

    public ArticleMonitorsBenchmark() {
        Arrays.setAll(monitors, number -> new Object());
        Arrays.setAll(locks, number -> new ReentrantLock());
    }

    /** A lock is of no matter here. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public long noLock() throws InterruptedException, ExecutionException {
        return runAll(number -> io());
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public long reentrantLock() throws InterruptedException, ExecutionException {
        return runAll(
                number -> {
                    ReentrantLock mine = locks[index(number)];
                    mine.lock();
                    try {
                        return io();
                    } finally {
                        mine.unlock();
                    }
                });
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public long synchronizedBlock() throws InterruptedException, ExecutionException {
        return runAll(
                number -> {
                    synchronized (monitors[index(number)]) {
                        return io();
                    }
                });
    }

    private int index(int number) {
        return lock == Lock.OWN ? number : 0;
    }

    private static long runAll(Task task) throws InterruptedException, ExecutionException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                int number = i;
                results.add(executor.submit(() -> task.run(number)));
            }
            long total = 0;
            for (Future<Long> result : results) {
                total += result.get();
            }
            return total;
        }
    }

    private static long io() throws InterruptedException {
        Thread.sleep(IO_MILLIS);
        long hash = 0;
        for (int i = 0; i < 1_000; i++) {
            hash ^= ThreadLocalRandom.current().nextLong();
        }
        return hash;
    }
}
