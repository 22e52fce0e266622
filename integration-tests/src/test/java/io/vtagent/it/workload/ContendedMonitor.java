package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code computeIfAbsent|hashtable|block|native THREADS MILLIS}: that many virtual threads wait for
 * a monitor that a platform thread releases when they have all waited for {@code MILLIS}. It is a
 * monitor of the JDK's, one of the application's, or one that is entered by a method which native
 * code has called, given {@code -Djdk.reflect.useNativeAccessorOnly=true}.
 */
public final class ContendedMonitor {
    private static final String KEY = "key";
    private static final ConcurrentMap<String, String> MAP = new ConcurrentHashMap<>();

    @SuppressWarnings("JdkObsolete") // that is what it is about
    private static final Map<String, String> TABLE = new Hashtable<>();

    private static final Object MONITOR = new Object();
    private static final LongAdder WAITED_NANOS = new LongAdder();

    private final String shape;
    private final int threads;
    private final long millis;
    private final Method enter;
    private List<Thread> waiters = List.of();

    private ContendedMonitor(String shape, int threads, long millis)
            throws ReflectiveOperationException {
        this.shape = shape;
        this.threads = threads;
        this.millis = millis;
        enter = ContendedMonitor.class.getDeclaredMethod("enter");
    }

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        WorkloadConsole.warmUp();
        new ContendedMonitor(
                        arguments[0], Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]))
                .run();
    }

    private void run() throws ReflectiveOperationException, InterruptedException {
        await(); // loads what it needs, for which the threads would wait, too
        MAP.clear();
        switch (shape) {
            case "computeIfAbsent" -> MAP.computeIfAbsent(KEY, key -> hold());
            case "hashtable" -> {
                synchronized (TABLE) {
                    hold();
                }
            }
            case "block", "native" -> {
                synchronized (MONITOR) {
                    hold();
                }
            }
            default -> throw new IllegalArgumentException(shape);
        }
        Tasks.join(waiters);
        WorkloadConsole.fact("seconds", WAITED_NANOS.sum() / 1e9);
        WorkloadConsole.fact("caller", SourceLine.of("call"));
        WorkloadConsole.fact("clock", System.currentTimeMillis() / 1e3);
        WorkloadConsole.done();
    }

    private String hold() {
        waiters =
                Tasks.start(
                        threads,
                        number -> {
                            long beganNanos = System.nanoTime();
                            await();
                            WAITED_NANOS.add(System.nanoTime() - beganNanos);
                        });
        for (Thread waiter : waiters) {
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        }
        try {
            Thread.sleep(millis);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
        return shape;
    }

    private void await() throws ReflectiveOperationException {
        switch (shape) {
            case "computeIfAbsent" ->
                    MAP.computeIfAbsent(SourceLine.mark("call", 0) == 0 ? KEY : "", key -> key);
            case "hashtable" -> TABLE.get(SourceLine.mark("call", 0) == 0 ? KEY : "");
            case "native" -> enter.invoke(SourceLine.mark("call", 0) == 0 ? null : this);
            default -> {
                SourceLine.mark("call", 0);
                enter();
            }
        }
    }

    static void enter() {
        synchronized (MONITOR) {
            Thread.onSpinWait(); // nothing that lasts
        }
    }
}
