package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Programs whose virtual threads are slow, or are not, each for a different reason. It prints
 * {@code running} when its threads have been started.
 */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // odd on purpose
public final class SlowPrograms {
    private static final int MANY = 200;
    private static final int LIVE = 300_000;
    private static final long LONG_MILLIS = 600_000;

    private static final Semaphore POOL = new Semaphore(5);
    private static final AtomicInteger PERMITS = new AtomicInteger(1);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantLock OTHER_LOCK = new ReentrantLock();
    private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    private static final Condition NEVER = LOCK.newCondition();
    private static final Object MONITOR = new Object();
    private static final CountDownLatch LATCH = new CountDownLatch(1);
    private static final Phaser PHASER = new Phaser(1);
    private static final CyclicBarrier BARRIER = new CyclicBarrier(MANY + 1);
    private static final CompletableFuture<String> FUTURE = new CompletableFuture<>();
    private static final FutureTask<String> TASK = new FutureTask<>(() -> "never run");
    private static final SynchronousQueue<String> QUEUE = new SynchronousQueue<>();
    private static final ConcurrentHashMap<String, String> CACHE = new ConcurrentHashMap<>();

    private static volatile long sink;

    private SlowPrograms() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "spinningPool" -> Tasks.start(50, number -> borrowAgain());
            case "computing" -> Tasks.start(64, number -> computeAndSleep());
            case "computingLong" -> Tasks.start(6, number -> computeLong());
            case "exhaustedPool" -> Tasks.start(MANY, number -> getConnection());
            case "slowPeer" -> {
                ServerSocket server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
                Tasks.start(MANY, number -> readReply(server));
            }
            case "accepting" -> {
                ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Tasks.start(4, number -> acceptOne(server));
            }
            case "selecting" -> Tasks.start(20, number -> select());
            case "queue" -> Tasks.start(MANY, number -> takeOne());
            case "lock" -> {
                LOCK.lock();
                Tasks.start(MANY, number -> lockIt());
            }
            case "readWriteLock" -> {
                READ_WRITE.writeLock().lock();
                Tasks.start(MANY, number -> readLocked());
            }
            case "deadlock" -> Tasks.start(2, SlowPrograms::lockBoth);
            case "condition" -> Tasks.start(MANY, number -> awaitCondition());
            case "latch" -> Tasks.start(MANY, number -> awaitLatch());
            case "phaser" -> Tasks.start(MANY, number -> awaitPhase());
            case "barrier" -> Tasks.start(MANY, number -> awaitBarrier());
            case "completableFuture" -> Tasks.start(MANY, number -> joinFuture());
            case "future" -> Tasks.start(MANY, number -> getResult());
            case "sleeping" -> Tasks.start(MANY, number -> sleepLong());
            case "monitor" -> Tasks.start(MANY, number -> refreshCache());
            case "objectWait" -> Tasks.start(MANY, number -> awaitNotify());
            case "computeIfAbsent" -> Tasks.start(MANY, number -> loadOnce());
            case "initializer" -> Tasks.start(MANY, number -> initialize());
            case "pinnedAlone" -> Tasks.start(1, number -> sleepInMonitor());
            case "pinnedAndReady" -> {
                Tasks.start(2, number -> sleepInMonitor());
                Thread.ofPlatform().daemon().start(SlowPrograms::startOthers);
            }
            case "shortTasks" ->
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        while (true) {
                                            startOne();
                                            pause(20);
                                        }
                                    });
            case "collecting" -> Tasks.start(1, number -> collectGarbage());
            case "none" -> {}
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        WorkloadConsole.printAndWait("running");
        Runtime.getRuntime().exit(0);
    }

    private static void collectGarbage() throws InterruptedException {
        List<byte[]> live = new ArrayList<>();
        for (int i = 0; i < LIVE; i++) {
            live.add(new byte[1]);
        }
        while (!live.isEmpty()) {
            System.gc();
            Thread.sleep(1);
        }
    }

    private static void borrowAgain() throws InterruptedException {
        while (true) {
            borrow();
            Thread.sleep(20);
            PERMITS.incrementAndGet();
        }
    }

    private static void borrow() {
        while (true) {
            int permits = PERMITS.get();
            if (permits > 0 && PERMITS.compareAndSet(permits, permits - 1)) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private static void computeAndSleep() throws InterruptedException {
        while (true) {
            compute(200_000);
            Thread.sleep(5);
        }
    }

    private static void computeLong() {
        while (true) {
            compute(500_000_000);
        }
    }

    private static void compute(int rounds) {
        long hash = 0;
        for (int round = 0; round < rounds; round++) {
            hash ^= ThreadLocalRandom.current().nextLong();
        }
        sink = hash;
    }

    private static void getConnection() throws InterruptedException {
        POOL.acquire();
        try {
            query();
        } finally {
            POOL.release();
        }
    }

    private static void query() throws InterruptedException {
        Thread.sleep(2_000);
    }

    /** The kernel accepts, and no thread replies. */
    private static void readReply(ServerSocket server) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            InputStream reply = socket.getInputStream();
            sink = reply.read();
        } finally {
            Reference.reachabilityFence(server); // a socket that nothing refers to is closed
        }
    }

    private static void acceptOne(ServerSocket server) throws IOException {
        server.accept().close();
    }

    private static void select() throws IOException {
        try (Selector selector = Selector.open()) {
            while (true) {
                selector.select(1_000);
            }
        }
    }

    private static void takeOne() throws InterruptedException {
        sink = QUEUE.take().length();
    }

    private static void lockIt() {
        LOCK.lock();
        LOCK.unlock();
    }

    private static void readLocked() {
        READ_WRITE.readLock().lock();
        READ_WRITE.readLock().unlock();
    }

    private static void lockBoth(int number) throws InterruptedException {
        ReentrantLock first = number == 0 ? LOCK : OTHER_LOCK;
        ReentrantLock second = number == 0 ? OTHER_LOCK : LOCK;
        first.lock();
        Thread.sleep(300);
        second.lock();
        second.unlock();
        first.unlock();
    }

    private static void awaitCondition() throws InterruptedException {
        LOCK.lock();
        try {
            NEVER.await();
        } finally {
            LOCK.unlock();
        }
    }

    private static void awaitLatch() throws InterruptedException {
        LATCH.await();
    }

    private static void awaitPhase() {
        sink = PHASER.awaitAdvance(0);
    }

    private static void awaitBarrier() throws InterruptedException, BrokenBarrierException {
        sink = BARRIER.await();
    }

    private static void joinFuture() {
        sink = FUTURE.join().length();
    }

    private static void getResult() throws InterruptedException, ExecutionException {
        sink = TASK.get().length();
    }

    private static void sleepLong() throws InterruptedException {
        Thread.sleep(LONG_MILLIS);
    }

    private static void refreshCache() throws InterruptedException {
        synchronized (MONITOR) {
            Thread.sleep(1_000);
        }
    }

    private static void awaitNotify() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            monitor.wait(LONG_MILLIS);
        }
    }

    private static void loadOnce() {
        sink = CACHE.computeIfAbsent("key", key -> slowValue()).length();
    }

    private static String slowValue() {
        pause(LONG_MILLIS);
        return "value";
    }

    private static void initialize() {
        sink = Initialized.VALUE;
    }

    private static void sleepInMonitor() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            Thread.sleep(LONG_MILLIS);
        }
    }

    /** Ten at a time, one after the other, so that some are always ready. */
    private static void startOthers() {
        while (true) {
            for (int number = 0; number < 10; number++) {
                Thread.startVirtualThread(() -> sink = System.nanoTime());
            }
            pause(10);
        }
    }

    private static void startOne() {
        try {
            Thread.startVirtualThread(() -> sink = System.nanoTime()).join();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static final class Initialized {
        static final long VALUE = value();

        private Initialized() {}

        private static long value() {
            pause(LONG_MILLIS);
            return 1;
        }
    }
}
