package io.vtagent.it.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code SELECTING IDLE_MILLIS [KEEP_ALIVE_MILLIS]}: threads that select, then a time without work,
 * in which the scheduler may end its idle carriers, and at last one more thread. The JDK keeps an
 * idle carrier for 30 s; another keep-alive is set by reflection, for which {@code java.lang} and
 * {@code java.util.concurrent} have to be open.
 */
public final class EndingSpareCarriers {
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final long POLL_NANOS = 1_000_000;

    private EndingSpareCarriers() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        int selecting = Integer.parseInt(arguments[0]);
        long idleNanos = Long.parseLong(arguments[1]) * 1_000_000;
        ForkJoinPool scheduler = scheduler();
        if (arguments.length > 2) {
            Field keepAlive = ForkJoinPool.class.getDeclaredField("keepAlive");
            keepAlive.setAccessible(true);
            keepAlive.setLong(scheduler, Long.parseLong(arguments[2]));
        }
        WorkloadConsole.printAndWait("ready");
        for (int i = 0; i < selecting; i++) {
            Thread.ofVirtual().name("selecting-" + i).start(EndingSpareCarriers::select);
        }
        StringBuilder sizes = new StringBuilder();
        int size = -1;
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < idleNanos) {
            int now = scheduler.getPoolSize();
            if (now != size) {
                size = now;
                sizes.append(sizes.isEmpty() ? "" : ",").append(now);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        WorkloadConsole.fact("sizes", sizes);
        WorkloadConsole.fact("size", size);
        Thread late = Thread.ofVirtual().name("late").start(() -> {});
        WorkloadConsole.fact("ran", late.join(LATE));
        WorkloadConsole.printAndWait("late");
        late.join();
        WorkloadConsole.done();
    }

    private static ForkJoinPool scheduler() throws ReflectiveOperationException {
        Field scheduler =
                Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
        scheduler.setAccessible(true);
        return (ForkJoinPool) scheduler.get(null);
    }

    private static void select() {
        try (Selector selector = Selector.open()) {
            while (selector.isOpen()) {
                selector.select();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
