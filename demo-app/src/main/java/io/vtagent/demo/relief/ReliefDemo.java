package io.vtagent.demo.relief;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Workloads whose carriers are held, as they are and under {@code relief=on}: the agent then has
 * the scheduler add a carrier for each one that is held, up to {@code maxPoolSize}. Two of them do
 * not end without it.
 */
public final class ReliefDemo implements DemoCase {

    private static final String ON = "-relieved";
    private static final String OWN = "own-monitors";
    private static final String OWN_1024 = "own-monitors-1024";
    private static final String OWN_LOCKS = "own-locks";
    private static final String SHARED = "shared-monitor";
    private static final String CACHE = "article-cache";
    private static final String POOL = "connection-pool";
    private static final String DEADLOCK = "deadlock";
    private static final String HANG = "hang";

    /** The variant of the cases that are run as they are. */
    private static final String PINNED = "pinned";

    private static final int CARRIERS = 8;
    private static final int READERS = 2 * CARRIERS;
    private static final long STUCK_SECONDS = 3;

    /**
     * Rounds that are not counted: carriers are added, and the JVM compiles, which takes a second
     * or two on two CPUs.
     */
    private static final int ROUNDS_BEFORE = 12;

    private static final int ROUNDS = 6;

    /** The first JDK where a monitor does not hold a carrier (JEP 491). */
    private static final int MONITORS_UNMOUNT = 24;

    private final DemoCase articleCache;
    private final DemoCase connectionPool;

    public ReliefDemo(DemoCase articleCache, DemoCase connectionPool) {
        this.articleCache = articleCache;
        this.connectionPool = connectionPool;
    }

    @Override
    public String name() {
        return "relief";
    }

    @Override
    public String shows() {
        return "What relief=on makes of code that holds carriers, and of a deadlock and a hang.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "When a virtual thread pins its carrier because of synchronized, the"
                                + " scheduler adds a carrier, up to maxPoolSize (256)."),
                Claim.of(
                        Article.EXPLORATION,
                        "Pinning will not cause the application to malfunction but may hinder its"
                                + " scalability."));
    }

    @Override
    public String comparison() {
        return "Of the pins by a monitor the scheduler does so for Object.wait alone; under relief"
                + " it does for the others, too. Own monitors are then bound by maxPoolSize: 256"
                + " carriers allow 25,600 tasks/s of 10 ms. One shared monitor stays at 100"
                + " tasks/s, whatever is added. And pinning does cause malfunction: without"
                + " relief the deadlock on JDK 21 and the hang on JDK 25 never end (the hang"
                + " needs native frames, which -Djdk.reflect.useNativeAccessorOnly=true makes"
                + " here). Where nothing is held, what is left is the noise of a few short"
                + " rounds. The time held is that of all rounds, also of those that only warm"
                + " up.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        List<Variant> variants = new ArrayList<>();
        both(variants, Variant.of(OWN, "sleeps in a monitor for each task"));
        Variant more =
                Variant.of(OWN_1024, "the same, maxPoolSize 1,024").onCarriers(CARRIERS, 1_024);
        variants.add(relieved(more));
        both(variants, Variant.of(OWN_LOCKS, "sleeps with a ReentrantLock for each task"));
        both(variants, Variant.of(SHARED, "sleeps in one monitor for all"));
        both(variants, Variant.of(CACHE, "the article cache, pinned"));
        both(variants, Variant.of(POOL, "the connection pool, pinned"));
        both(
                variants,
                Variant.of(DEADLOCK, "a lock whose next owner has no carrier").onCarriers(4, 256));
        both(
                variants,
                Variant.of(HANG, "sockets read above native frames")
                        .onJvm("-Djdk.reflect.useNativeAccessorOnly=true"));
        return List.copyOf(variants);
    }

    private static void both(List<Variant> variants, Variant variant) {
        variants.add(variant);
        variants.add(relieved(variant));
    }

    private static Variant relieved(Variant variant) {
        return new Variant(
                        variant.name() + ON,
                        variant.what() + "; with relief",
                        variant.jvmOptions(),
                        variant.agentOptions())
                .underAgent("relief=on");
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return switch (workload(variant)) {
            case OWN, OWN_1024, OWN_LOCKS -> new Size(5_000, 10);
            case SHARED -> new Size(300, 10);
            case CACHE -> articleCache.size(PINNED, scale);
            case POOL -> connectionPool.size(PINNED, scale);
            default -> new Size(1, 10);
        };
    }

    private static String workload(String variant) {
        return variant.endsWith(ON)
                ? variant.substring(0, variant.length() - ON.length())
                : variant;
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        return switch (workload(variant)) {
            case CACHE -> articleCache.run(PINNED, settings);
            case POOL -> connectionPool.run(PINNED, settings);
            case DEADLOCK -> untilStuck(deadlocked());
            case HANG -> untilStuck(readers());
            default -> sleep(variant, settings);
        };
    }

    private static Result sleep(String variant, Settings settings) throws InterruptedException {
        String workload = workload(variant);
        int tasks = settings.tasks();
        boolean pinsUnrelieved =
                variant.equals(OWN) && Runtime.version().feature() < MONITORS_UNMOUNT;
        boolean isSlow =
                pinsUnrelieved
                        // a round takes seconds, and is always the same
                        || workload.equals(SHARED);
        // In arrays: the compiler elides a monitor that it can prove to be thread-local, and then
        // nothing pins.
        Object[] monitors = new Object[workload.equals(SHARED) ? 1 : tasks];
        ReentrantLock[] locks = new ReentrantLock[tasks];
        Arrays.setAll(monitors, i -> new Object());
        Arrays.setAll(locks, i -> new ReentrantLock());
        Load.Task task =
                workload.equals(OWN_LOCKS)
                        ? number -> {
                            locks[number].lock();
                            try {
                                Thread.sleep(settings.latencyMillis());
                            } finally {
                                locks[number].unlock();
                            }
                        }
                        : number -> {
                            synchronized (monitors[number % monitors.length]) {
                                Thread.sleep(settings.latencyMillis()); // up to JDK 23 this holds a
                                // carrier
                            }
                        };
        for (int round = 0; round < ROUNDS_BEFORE && !isSlow; round++) {
            Load.run(tasks, tasks, task);
        }
        int rounds = isSlow ? 1 : ROUNDS;
        double seconds = 0;
        for (int round = 0; round < rounds; round++) {
            seconds += Load.run(tasks, tasks, task);
        }
        return Result.ofTasks((long) rounds * tasks, seconds);
    }

    /**
     * A thread is first in the queue of a lock; four wait behind it, each in a monitor; then the
     * lock is released.
     */
    private static List<Thread> deadlocked() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        List<Thread> threads = new ArrayList<>();
        lock.lock();
        try {
            for (int i = 0; i < 5; i++) {
                Object monitor = new Object();
                Runnable take = lock::lock;
                Runnable inMonitor =
                        () -> {
                            synchronized (monitor) {
                                take.run();
                                lock.unlock();
                            }
                        };
                Runnable plain =
                        () -> {
                            take.run();
                            lock.unlock();
                        };
                Thread thread = Thread.ofVirtual().start(i == 0 ? plain : inMonitor);
                threads.add(thread);
                while (!lock.hasQueuedThread(thread)) {
                    Thread.sleep(1);
                }
            }
        } finally {
            lock.unlock();
        }
        return threads;
    }

    /**
     * Threads that native code has called read a socket each; on JDK 25 the JDK's own poller then
     * has no carrier.
     */
    private static List<Thread> readers() throws Exception {
        Method read = ReliefDemo.class.getDeclaredMethod("read", Socket.class);
        List<Thread> threads = new ArrayList<>();
        List<Socket> accepted = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, READERS, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < READERS; i++) {
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                accepted.add(server.accept());
                threads.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                read.invoke(null, socket);
                                            } catch (ReflectiveOperationException failed) {
                                                throw new IllegalStateException(failed);
                                            }
                                        }));
            }
        }
        while (threads.stream().filter(thread -> thread.getState() == Thread.State.WAITING).count()
                < CARRIERS) {
            Thread.sleep(1);
        }
        for (Socket socket : accepted) {
            socket.close();
        }
        return threads;
    }

    static void read(Socket socket) throws Exception {
        try (socket) {
            socket.getInputStream().readAllBytes();
        }
    }

    private static Result untilStuck(List<Thread> threads) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long endNanos = beganNanos + TimeUnit.SECONDS.toNanos(STUCK_SECONDS);
        for (Thread thread : threads) {
            thread.join(java.time.Duration.ofNanos(Math.max(endNanos - System.nanoTime(), 1)));
        }
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        long ended = threads.stream().filter(thread -> !thread.isAlive()).count();
        Result result = Result.ofTasks(ended, seconds);
        return ended == threads.size()
                ? result.note("It ended after %.3f s.".formatted(seconds))
                : result.note(
                        "It is stuck: after "
                                + STUCK_SECONDS
                                + " s "
                                + ended
                                + " of "
                                + threads.size()
                                + " threads have ended.");
    }
}
