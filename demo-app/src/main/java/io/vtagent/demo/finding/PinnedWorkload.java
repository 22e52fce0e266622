package io.vtagent.demo.finding;

import io.vtagent.demo.workload.Load;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * One pin of every sort, with a stop watch: it knows for how long carriers were held, as far as one
 * can from inside. It runs one sort after the other, on as many virtual threads at a time as there
 * are carriers or fewer, so that none waits for a carrier.
 */
final class PinnedWorkload {

    /** Each in a method of its own, by which a stack gives it away. */
    enum Sort {
        LONG_SLEEP("sleeps of 40 ms in a monitor", "sleepsLong", false),
        SHORT_SLEEP("sleeps of 5 ms in a monitor", "sleepsShort", false),
        ENTER("waits to enter a monitor", "enters", false),
        WAIT("Object.wait", "waits", false),
        CLASS_INITIALIZER("sleep in a class initializer", "<clinit>", true),
        AWAITED_INITIALIZER("waits for that initializer", "awaitsInitializer", true),
        UNENDED("a sleep that has not ended", "sleepsOn", false);

        final String what;
        private final String method;
        private final boolean onEveryJdk;

        Sort(String what, String method, boolean onEveryJdk) {
            this.what = what;
            this.method = method;
            this.onEveryJdk = onEveryJdk;
        }

        /** Whether a stack shows this sort of pin. */
        boolean isIn(String frames) {
            String names = frames.replace('/', '.');
            return names.contains(PinnedWorkload.class.getName() + '.' + method)
                    || names.contains(SleepsWhenInitialized.class.getName() + '.' + method);
        }

        /** Up to JDK 23 all of it holds a carrier; then monitors do not (JEP 491). */
        boolean pins() {
            return onEveryJdk || Runtime.version().feature() < 24;
        }
    }

    private static final int AT_A_TIME = 4;
    private static final int LONG_MILLIS = 40;
    private static final int SHORT_MILLIS = 5;
    private static final int FOREVER_MILLIS = 3_600_000;

    private static final CountDownLatch INITIALIZING = new CountDownLatch(1);

    private final int rounds;
    private final Map<Sort, Double> seconds = new ConcurrentHashMap<>();
    private final Object[] monitors =
            IntStream.range(0, AT_A_TIME).mapToObj(i -> new Object()).toArray();
    private final Object shared = new Object();

    PinnedWorkload(int rounds) {
        this.rounds = rounds;
    }

    /** For how long a carrier was held, by sort, in seconds. */
    Map<Sort, Double> run() throws InterruptedException {
        Load.run(rounds * AT_A_TIME, AT_A_TIME, this::sleepsLong);
        Load.run(rounds * AT_A_TIME * 4, AT_A_TIME, this::sleepsShort);
        Load.run(rounds * AT_A_TIME * 2, AT_A_TIME, this::enters);
        Load.run(rounds * AT_A_TIME, AT_A_TIME, this::waits);
        Load.run(
                AT_A_TIME,
                AT_A_TIME,
                number -> {
                    if (number == 0) {
                        time(Sort.CLASS_INITIALIZER, SleepsWhenInitialized::initialize);
                    } else {
                        INITIALIZING.await();
                        awaitsInitializer();
                    }
                });
        CountDownLatch sleeping = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> sleepsOn(sleeping));
        sleeping.await();
        long sinceNanos = System.nanoTime();
        Thread.sleep(LONG_MILLIS * 5L);
        seconds.put(Sort.UNENDED, (System.nanoTime() - sinceNanos) / 1e9);
        seconds.keySet().removeIf(sort -> !sort.pins());
        return new EnumMap<>(seconds);
    }

    private void sleepsLong(int number) throws InterruptedException {
        synchronized (monitors[number % AT_A_TIME]) {
            time(Sort.LONG_SLEEP, () -> Thread.sleep(LONG_MILLIS));
        }
    }

    private void sleepsShort(int number) throws InterruptedException {
        synchronized (monitors[number % AT_A_TIME]) {
            time(Sort.SHORT_SLEEP, () -> Thread.sleep(SHORT_MILLIS));
        }
    }

    /** All threads want one monitor. Its owner computes, so that it is held by nothing else. */
    private void enters(int number) {
        long beganNanos = System.nanoTime();
        synchronized (shared) {
            long enteredNanos = System.nanoTime();
            add(Sort.ENTER, enteredNanos - beganNanos);
            while (System.nanoTime() - enteredNanos < SHORT_MILLIS * 1_000_000L) {
                Thread.onSpinWait();
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private void waits(int number) throws InterruptedException {
        Object monitor = monitors[number % AT_A_TIME];
        synchronized (monitor) {
            time(Sort.WAIT, () -> monitor.wait(LONG_MILLIS));
        }
    }

    /** The innermost frame meanwhile is this one. */
    private void awaitsInitializer() {
        long beganNanos = System.nanoTime();
        SleepsWhenInitialized.initialize();
        add(Sort.AWAITED_INITIALIZER, System.nanoTime() - beganNanos);
    }

    private void sleepsOn(CountDownLatch sleeping) {
        synchronized (monitors[0]) {
            sleeping.countDown();
            try {
                Thread.sleep(FOREVER_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Blocking {
        void run() throws InterruptedException;
    }

    private void time(Sort sort, Blocking blocking) throws InterruptedException {
        long beganNanos = System.nanoTime();
        blocking.run();
        add(sort, System.nanoTime() - beganNanos);
    }

    private void add(Sort sort, long nanos) {
        seconds.merge(sort, nanos / 1e9, Double::sum);
    }

    private static final class SleepsWhenInitialized {
        static {
            INITIALIZING.countDown();
            try {
                Thread.sleep(LONG_MILLIS * 5L);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        static void initialize() {}
    }
}
