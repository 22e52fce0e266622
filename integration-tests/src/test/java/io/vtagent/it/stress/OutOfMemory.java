package io.vtagent.it.stress;

import io.vtagent.it.workload.WorkloadConsole;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code MILLIS PINS}: fills the heap again and again for that long while virtual threads pin; then
 * there is room, and others pin the given number of times.
 */
public final class OutOfMemory {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int PINNING = 8;
    private static final AtomicInteger REFUSED = new AtomicInteger();
    private static final AtomicInteger UNCAUGHT = new AtomicInteger();
    private static final AtomicInteger UNCAUGHT_OF_AGENT = new AtomicInteger();

    private OutOfMemory() {}

    public static void main(String[] arguments) throws Exception {
        Duration length = Duration.ofMillis(Long.parseLong(arguments[0]));
        int pins = Integer.parseInt(arguments[1]);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    UNCAUGHT.incrementAndGet();
                    if (thread.getName().startsWith("vt-agent")) {
                        UNCAUGHT_OF_AGENT.incrementAndGet();
                    }
                });
        Method park = OutOfMemory.class.getDeclaredMethod("park");
        park.invoke(null);
        WorkloadConsole.printAndWait("started");
        AtomicBoolean ended = new AtomicBoolean();
        List<Thread> pinning = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(PINNING);
        for (int i = 0; i < PINNING; i++) {
            pinning.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        begun.countDown();
                                        while (!ended.get()) {
                                            pin(park);
                                        }
                                    }));
        }
        // with a full heap ForkJoinPool.runWorker loses a thread that it has taken, if it fails to
        // start one more
        // carrier
        begun.await();
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < length.toNanos()) {
            fill();
        }
        ended.set(true);
        for (Thread thread : pinning) {
            thread.join();
        }
        WorkloadConsole.fact("refused", REFUSED.get());
        WorkloadConsole.printAndWait("filled");
        int failed = UNCAUGHT.get();
        for (int i = 0; i < pins; i++) {
            Thread.ofVirtual().start(() -> pin(park)).join();
        }
        WorkloadConsole.fact("uncaught", failed);
        WorkloadConsole.fact("uncaughtLater", (UNCAUGHT.get() - failed));
        WorkloadConsole.fact("uncaughtOfAgent", UNCAUGHT_OF_AGENT.get());
        WorkloadConsole.printAndWait("pinned");
    }

    /** Until there is nothing left, not even for what is small. */
    @SuppressWarnings("ModifiedButNotUsed") // the memory is
    private static void fill() {
        List<byte[]> chunks = new ArrayList<>();
        for (int bytes = CHUNK_BYTES; bytes > 16; bytes /= 2) {
            try {
                while (true) {
                    chunks.add(new byte[bytes]);
                }
            } catch (OutOfMemoryError expected) {
                REFUSED.incrementAndGet();
            }
        }
        LockSupport.parkNanos(20_000_000);
        chunks.clear();
    }

    private static void pin(Method park) {
        try {
            park.invoke(null);
        } catch (ReflectiveOperationException | OutOfMemoryError full) {
            REFUSED.incrementAndGet();
        }
    }

    static void park() {
        LockSupport.parkNanos(500_000);
    }
}
