package io.vtagent.bench.program;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Virtual threads that yield, alone and while a platform thread loads classes: how often they do,
 * and how long one of them was held up. On JDK 21 an agent that transforms classes makes the JVM
 * stop all mounts and unmounts for a moment, for each class that is loaded: {@code java.instrument}
 * notes whose turn it is with JVMTI's {@code SetThreadLocalStorage}, which disables the transitions
 * ({@code JvmtiVTMSTransitionDisabler}).
 *
 * <p>{@code java [-javaagent:...] -Djdk.virtualThreadScheduler.parallelism=8 -cp benchmarks.jar
 * io.vtagent.bench.program.SwitchesWhileLoading}
 */
public final class SwitchesWhileLoading {
    private static final int THREADS = 16;
    private static final int ROUNDS = 5;
    private static final long ROUND_MILLIS = 2_000;
    private static final long BETWEEN_CLASSES_MICROS = 1_000;

    private final LongAdder yields = new LongAdder();
    private final LongAdder loaded = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;
    private volatile boolean loading;
    private volatile long longestNanos;

    private SwitchesWhileLoading() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        new SwitchesWhileLoading().run();
    }

    private void run() throws IOException, InterruptedException {
        byte[] bytes;
        try (InputStream file =
                Objects.requireNonNull(
                        SwitchesWhileLoading.class.getResourceAsStream("EmptyAgent.class"))) {
            bytes = file.readAllBytes();
        }
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.startVirtualThread(this::yieldAgainAndAgain));
        }
        threads.add(Thread.ofPlatform().start(() -> loadAgainAndAgain(bytes)));
        for (int round = 0; round < 2 * ROUNDS; round++) {
            loading = round % 2 == 1;
            yields.reset();
            loaded.reset();
            longestNanos = 0;
            Thread.sleep(ROUND_MILLIS);
            System.out.printf(
                    "%s yields/ms=%.0f longestMillis=%.1f classes/s=%d%n",
                    loading ? "loading" : "quiet  ",
                    yields.sum() / (double) ROUND_MILLIS,
                    longestNanos / 1e6,
                    loaded.sum() * 1_000 / ROUND_MILLIS);
        }
        ending = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield is the quickest way to unmount and mount
    private void yieldAgainAndAgain() {
        while (!ending) {
            long beganNanos = System.nanoTime();
            Thread.yield();
            long nanos = System.nanoTime() - beganNanos;
            yields.increment();
            if (nanos > longestNanos) {
                longestNanos = nanos;
            }
        }
    }

    private void loadAgainAndAgain(byte[] bytes) {
        while (!ending) {
            if (loading) {
                new Definer(bytes);
                loaded.increment();
            }
            try {
                TimeUnit.MICROSECONDS.sleep(BETWEEN_CLASSES_MICROS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Its class is another one each time. */
    private static final class Definer extends ClassLoader {
        Definer(byte[] bytes) {
            super(null);
            defineClass(EmptyAgent.class.getName(), bytes, 0, bytes.length);
        }
    }
}
