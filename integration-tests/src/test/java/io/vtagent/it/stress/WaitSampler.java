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
    private static final int MIN_LOOKS = 20;
    private static final int MAX_TOLD = 20;
    private static final int MAX_VIRTUAL = 20;
    private static final int PERIOD_MILLIS = 3;
    private static final Set<Thread.State> WAITING =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final Method OWNER = owner();

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Set<Thread> virtual;
    private final CountDownLatch enough = new CountDownLatch(MIN_LOOKS);
    private final Map<String, Boolean> told = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;
    private volatile int looks;
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
            looks++;
            enough.countDown();
            try {
                Thread.sleep(PERIOD_MILLIS);
            } catch (InterruptedException ending) {
                return;
            }
        }
    }

    /** Waits until it has looked often enough, which on a busy machine takes its time. */
    void awaitLooks() throws InterruptedException {
        enough.await();
    }

    void end() {
        ended = true;
    }

    int looks() {
        return looks;
    }

    /** Threads at all looks. */
    int seen() {
        return seen;
    }

    private void platform(ThreadInfo info) {
        if (isAgents(info.getThreadName())) {
            return;
        }
        String owner = info.getLockOwnerName();
        if (owner != null && isAgents(owner) && !isCarrying(info) && !isJdks(info)) {
            tell(
                    info.getThreadName() + " waits for " + info.getLockName() + " of " + owner,
                    List.of(info.getStackTrace()));
        }
        if (WAITING.contains(info.getThreadState())) {
            inside(info.getThreadName(), List.of(info.getStackTrace()));
        }
    }

    /**
     * State and stack are not read at once: a thread that waits as the application has it may go
     * on, be in a hook, and wait again. Who waits in the same place at two looks has waited there.
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
            tell("a virtual thread waits for a lock of " + owner.getName(), stack);
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
     * What a waiting thread may not have on its stack. A carrier that nobody needs may rest, and
     * with {@code jfr-events=on} whoever records a string that is new to Flight Recorder's chunk
     * may wait for another one of the application's threads that does.
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
            tell(who + " waits inside the agent", stack);
        }
    }

    /**
     * A carrier is told to wait for the virtual thread that it carries, which may be one by which
     * the agent proves a sensor.
     */
    private static boolean isCarrying(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        return lock != null && lock.getClassName().equals("java.lang.VirtualThread");
    }

    /**
     * Locks of the JDK's, which it holds for some instructions: that of Flight Recorder, for
     * whoever uses it, and those to open a file or a socket, and to create a class loader, as
     * attaching does.
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

    /** Whoever attaches has the JVM's thread for that load classes of the agent. */
    private static boolean isAgents(String thread) {
        return thread.startsWith("vt-agent") || thread.equals("Attach Listener");
    }

    private void tell(String what, List<StackTraceElement> stack) {
        String text = what + " at " + stack;
        String key = stack.toString();
        if (told.size() < MAX_TOLD && told.putIfAbsent(key, true) == null) {
            violations.add(text);
        }
    }
}
