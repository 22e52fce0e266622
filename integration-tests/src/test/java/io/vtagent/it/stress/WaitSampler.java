package io.vtagent.it.stress;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks for threads of the application that wait for a thread of the agent: for a monitor or lock
 * that one has, or for anything at all inside the agent's code.
 */
final class WaitSampler implements Runnable {
    private static final int MIN_SAMPLES = 20;
    private static final int MAX_REPORTED = 20;
    private static final int MAX_VIRTUAL = 20;
    private static final int PERIOD_MILLIS = 3;
    private static final Set<Thread.State> WAITING =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final Method OWNER = owner();

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Set<Thread> virtual;
    private final CountDownLatch enough = new CountDownLatch(MIN_SAMPLES);
    private final Map<String, Boolean> reported = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;
    private volatile int samples;
    private volatile int seen;

    /**
     * @param virtual the application's virtual threads, whichever there are at a time
     */
    WaitSampler(Set<Thread> virtual) {
        this.virtual = virtual;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void run() {
        while (!ended) {
            for (ThreadInfo info : threads.dumpAllThreads(false, false)) {
                seen++;
                platform(info);
            }
            virtual.stream().limit(MAX_VIRTUAL).forEach(this::virtual);
            samples++;
            enough.countDown();
            try {
                Thread.sleep(PERIOD_MILLIS);
            } catch (InterruptedException ending) {
                return;
            }
        }
    }

    /** Waits until it has taken enough samples, which takes long on a busy machine. */
    void awaitSamples() throws InterruptedException {
        enough.await();
    }

    void end() {
        ended = true;
    }

    int samples() {
        return samples;
    }

    /** Returns the sum of the threads of all samples. */
    int seen() {
        return seen;
    }

    private void platform(ThreadInfo info) {
        if (isAgents(info.getThreadName())) {
            return;
        }
        String owner = info.getLockOwnerName();
        if (owner != null && isAgents(owner) && !isCarrying(info) && !isJdks(info)) {
            report(
                    info.getThreadName() + " waits for " + info.getLockName() + " of " + owner,
                    List.of(info.getStackTrace()));
        }
        if (WAITING.contains(info.getThreadState())) {
            inside(info.getThreadName(), List.of(info.getStackTrace()));
        }
    }

    /**
     * State and stack are not read at once: a thread that waits for the application may go on, be
     * in a hook, and wait again. A thread that waits in the same place in two samples has waited
     * there.
     */
    private void virtual(Thread thread) {
        Thread.State before = thread.getState();
        if (!WAITING.contains(before)) {
            return;
        }
        List<StackTraceElement> stack = List.of(thread.getStackTrace());
        Thread owner = ownerOf(LockSupport.getBlocker(thread));
        if (thread.getState() != before || !stack.equals(List.of(thread.getStackTrace()))) {
            return;
        }
        inside("a virtual thread", stack);
        if (owner != null && isAgents(owner.getName())) {
            report("a virtual thread waits for a lock of " + owner.getName(), stack);
        }
    }

    private static @Nullable Thread ownerOf(@Nullable Object lock) {
        try {
            return lock instanceof AbstractOwnableSynchronizer ? (Thread) OWNER.invoke(lock) : null;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Method owner() {
        try {
            Method owner =
                    AbstractOwnableSynchronizer.class.getDeclaredMethod("getExclusiveOwnerThread");
            owner.setAccessible(true);
            return owner;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reports frames that a waiting thread may not have on its stack. A carrier that is not needed
     * may be idle. With {@code jfr-events=on}, a thread that records a string that is new to Flight
     * Recorder's chunk may wait for another one of the application's threads that does the same.
     */
    private void inside(String who, List<StackTraceElement> stack) {
        boolean agents =
                stack.stream()
                        .anyMatch(
                                frame ->
                                        (frame.getClassName().startsWith("io.vtagent.")
                                                        && !frame.getClassName()
                                                                .startsWith("io.vtagent.it."))
                                                || frame.getClassName()
                                                        .startsWith("java.lang.VtAgent"));
        boolean rests =
                stack.stream()
                        .anyMatch(
                                frame ->
                                        frame.getClassName()
                                                .startsWith(
                                                        "io.vtagent.relief.SurplusCarrierParking"));
        boolean records =
                !stack.isEmpty()
                        && stack.getFirst().getClassName().equals("jdk.jfr.internal.StringPool");
        if (agents && !rests && !records) {
            report(who + " waits inside the agent", stack);
        }
    }

    /**
     * The JVM reports that a carrier waits for the virtual thread that it carries, which may be one
     * of the agent's self-test.
     */
    private static boolean isCarrying(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        return lock != null && lock.getClassName().equals("java.lang.VirtualThread");
    }

    /**
     * Locks of the JDK's, which it holds for some instructions: that of Flight Recorder, for its
     * users, and those to open a file or a socket, and to create a class loader, as attaching does.
     */
    private static boolean isJdks(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        if (lock == null) {
            return false;
        }
        String name = lock.getClassName();
        StackTraceElement[] stack = info.getStackTrace();
        return name.startsWith("jdk.jfr.")
                || name.startsWith("jdk.internal.ref.")
                || (stack.length > 0
                        && stack[0].getClassName().equals("java.lang.ClassLoader$ParallelLoaders"));
    }

    /** Attaching makes the JVM's thread for that load classes of the agent. */
    private static boolean isAgents(String thread) {
        return thread.startsWith("vt-agent") || thread.equals("Attach Listener");
    }

    private void report(String what, List<StackTraceElement> stack) {
        String text = what + " at " + stack;
        String key = stack.toString();
        if (reported.size() < MAX_REPORTED && reported.putIfAbsent(key, true) == null) {
            violations.add(text);
        }
    }
}
