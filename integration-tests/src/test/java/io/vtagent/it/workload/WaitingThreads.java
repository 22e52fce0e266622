package io.vtagent.it.workload;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code many|million|stuck|lost}: virtual threads that wait, and never go on by themselves. {@code
 * stuck} holds two carriers beside them, and {@code lost} takes a thread from the scheduler.
 */
public final class WaitingThreads {
    public static final int BORROWERS = 500;
    public static final int CONNECTIONS = 5;
    public static final int LOCKERS = 30;
    public static final int READERS = 20;
    public static final int SLEEPERS = 10;
    public static final int MILLION = 1_000_000;

    private static final long POLL_NANOS = 1_000_000;

    private static final Semaphore POOL = new Semaphore(CONNECTIONS);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final CountDownLatch HELD = new CountDownLatch(2);

    private WaitingThreads() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "many" -> many();
            case "stuck" -> {
                borrowers();
                Thread.startVirtualThread(First::touch);
                Thread.startVirtualThread(Second::touch);
                HELD.await();
                Thread.startVirtualThread(() -> {});
            }
            case "million" -> million();
            case "lost" -> lose(park("lost-one"));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        WorkloadConsole.printAndWait("ready");
        if (arguments[0].equals("million")) {
            WorkloadConsole.fact("before", allocatedByTheEndpoint());
            WorkloadConsole.printAndWait("measured");
            WorkloadConsole.fact("after", allocatedByTheEndpoint());
        }
    }

    private static void million() {
        for (int i = 0; i < MILLION; i++) {
            Thread.startVirtualThread(WaitingThreads::getConnection);
        }
        while (POOL.getQueueLength() < MILLION - CONNECTIONS) {
            LockSupport.parkNanos(100 * POLL_NANOS);
        }
    }

    /** Returns the bytes that the threads of the agent's endpoint have allocated so far. */
    private static long allocatedByTheEndpoint() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("vt-agent-http")) {
                bytes += threads.getThreadAllocatedBytes(thread.threadId());
            }
        }
        return bytes;
    }

    private static void many() throws Exception {
        borrowers();
        CountDownLatch owned = new CountDownLatch(1);
        Thread.ofPlatform()
                .daemon()
                .name("owner-of-the-lock")
                .start(
                        () -> {
                            LOCK.lock();
                            owned.countDown();
                            await();
                        });
        owned.await();
        for (int i = 0; i < LOCKERS; i++) {
            Thread.ofVirtual().name("locks-" + i).start(WaitingThreads::lock);
        }
        ServerSocket silent = new ServerSocket(0, READERS, InetAddress.getLoopbackAddress());
        CountDownLatch connected = new CountDownLatch(READERS);
        for (int i = 0; i < READERS; i++) {
            Thread.ofVirtual().name("reads-" + i).start(() -> read(silent, connected));
        }
        connected.await();
        for (int i = 0; i < SLEEPERS; i++) {
            Thread.ofVirtual().name("sleeps-" + i).start(WaitingThreads::sleep);
        }
        while (LOCK.getQueueLength() < LOCKERS) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void borrowers() {
        ExecutorService requests =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("request-", 0).factory());
        for (int i = 0; i < BORROWERS; i++) {
            requests.execute(WaitingThreads::request);
        }
        while (POOL.getQueueLength() < BORROWERS - CONNECTIONS) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void request() {
        getConnection();
        await();
    }

    private static void getConnection() {
        POOL.acquireUninterruptibly();
    }

    private static void lock() {
        LOCK.lock();
    }

    private static void read(ServerSocket silent, CountDownLatch connected) {
        try (Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
            connected.countDown();
            int unused = socket.getInputStream().read();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static void await() {
        try {
            NEVER.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static Thread park(String name) {
        Thread thread = Thread.ofVirtual().name(name).start(WaitingThreads::await);
        while (thread.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        return thread;
    }

    /** Does to a parked thread what an unpark does, except that no carrier is notified. */
    private static void lose(Thread parked) throws ReflectiveOperationException {
        Field state = parked.getClass().getDeclaredField("state");
        Field unparked = parked.getClass().getDeclaredField("UNPARKED");
        state.setAccessible(true);
        unparked.setAccessible(true);
        state.setInt(parked, unparked.getInt(null));
    }

    private static final class First {
        static {
            HELD.countDown();
            await();
        }

        static void touch() {}
    }

    private static final class Second {
        static {
            HELD.countDown();
            await();
        }

        static void touch() {}
    }
}
