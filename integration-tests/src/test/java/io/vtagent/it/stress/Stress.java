package io.vtagent.it.stress;

import io.vtagent.it.workload.SinglePins;
import io.vtagent.it.workload.WorkloadConsole;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Recording;

/**
 * {@code SECONDS FILE THREADS}: for that long, virtual threads hold carriers in every way, unmount,
 * and load classes, at most that many at a time. The events of Flight Recorder since the first of
 * them go to the file; the results of the sampler are printed.
 */
public final class Stress {
    /** The maximum size of the file. */
    public static final long MAX_BYTES = 4L << 30;

    private static final int PINNED_SHARE = 3;

    /**
     * The objects of threads that cannot unmount, and of those that perhaps can: if they shared
     * any, the former could take all carriers to wait for one of the latter, which needs one.
     */
    private static final Shared PINNED = new Shared();

    private static final Shared MOBILE = new Shared();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();
    private static final LongAdder DONE = new LongAdder();
    private static final LongAdder FAILED = new LongAdder();
    private static volatile boolean ended;
    private static int threads;

    private Stress() {}

    private static final class Shared {
        final Object[] monitors = {new Object(), new Object(), new Object()};
        final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();

        synchronized void sleep(int nanos) throws InterruptedException {
            Thread.sleep(Duration.ofNanos(nanos));
        }
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = Integer.parseInt(arguments[0]);
        threads = Integer.parseInt(arguments[2]);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    FAILED.increment();
                    failure.printStackTrace();
                });
        WorkloadConsole.warmUp(); // to prove its sensors the agent loads classes, and holds virtual
        // threads
        // of its own
        SinglePins.keep();
        WaitSampler sampler = new WaitSampler(THREADS);
        Thread work;
        Thread loading;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JavaMonitorEnter").withoutThreshold().withStackTrace();
            recording.enable("jdk.ClassLoad").withoutThreshold().withStackTrace();
            recording.enable("jdk.ClassDefine").withStackTrace();
            recording
                    .enable("jdk.ThreadPark")
                    .withThreshold(Duration.ofMillis(seconds < 60 ? 0 : 2))
                    .withStackTrace();
            recording.enable("io.vtagent.Pin");
            recording.enable("jdk.DataLoss");
            recording.setMaxSize(MAX_BYTES);
            recording.start();
            work = Thread.ofPlatform().name("work").start(Stress::work);
            loading = Thread.ofPlatform().name("loading").start(Stress::load);
            Thread looking = Thread.ofPlatform().name("looking").start(sampler);
            Thread.sleep(Duration.ofSeconds(seconds));
            sampler.awaitSamples();
            sampler.end();
            looking.join();
            recording.stop();
            recording.dump(Path.of(arguments[1]));
        }
        ended = true;
        work.join();
        loading.join();
        sampler.violations.forEach(violation -> System.out.println("violation: " + violation));
        System.out.println("violations=" + sampler.violations.size());
        System.out.println("samples=" + sampler.samples());
        System.out.println("seen=" + sampler.seen());
        System.out.println("tasks=" + DONE.sum());
        System.out.println("failed=" + FAILED.sum());
        System.out.println("done");
        if (System.in.read() < 0) {
            System.out.println("nobody looks");
        }
    }

    private static void work() {
        try {
            Method below = Stress.class.getDeclaredMethod("hold", int.class);
            Semaphore places = new Semaphore(threads);
            for (int i = 0; !ended; i++) {
                int number = i;
                places.acquire();
                THREADS.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                if (number % PINNED_SHARE == 0) {
                                                    below.invoke(
                                                            null,
                                                            number); // a native frame pins on every
                                                    // JDK
                                                } else {
                                                    hold(number);
                                                }
                                                DONE.increment();
                                            } catch (Exception impossible) {
                                                throw new IllegalStateException(impossible);
                                            } finally {
                                                THREADS.remove(Thread.currentThread());
                                                places.release();
                                            }
                                        }));
            }
            places.acquire(threads);
        } catch (InterruptedException | ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // there is nothing to wait for
    static void hold(int number) throws InterruptedException, IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        boolean pinned = number % PINNED_SHARE == 0;
        Shared shared = pinned ? PINNED : MOBILE;
        Object monitor = shared.monitors[random.nextInt(shared.monitors.length)];
        switch (random.nextInt(8)) {
            case 0 -> {
                synchronized (monitor) {
                    LockSupport.parkNanos(random.nextInt(1_000_000));
                }
            }
            case 1 -> {
                synchronized (monitor) {
                    monitor.wait(1);
                }
            }
            case 2 -> shared.sleep(random.nextInt(1_000_000));
            case 3 -> shared.map.merge(number % 64, 1, Stress::slowly);
            case 4 -> {
                try (InputStream in = new FileInputStream("/proc/self/status")) {
                    in.readAllBytes();
                }
            }
            case 5 -> {
                if (!pinned) {
                    underLock();
                }
            }
            case 6 -> Initialized.inLoaderOfItsOwn();
            default -> Thread.sleep(1);
        }
    }

    private static void underLock() throws InterruptedException {
        LOCK.lock();
        try {
            Thread.sleep(Duration.ofNanos(100_000));
        } finally {
            LOCK.unlock();
        }
    }

    private static int slowly(int one, int other) {
        LockSupport.parkNanos(100_000);
        return one + other;
    }

    private static void load() {
        while (!ended) {
            Initialized.inLoaderOfItsOwn();
            LockSupport.parkNanos(2_000_000);
        }
    }
}
