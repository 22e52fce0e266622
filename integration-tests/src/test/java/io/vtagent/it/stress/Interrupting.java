package io.vtagent.it.stress;

import io.vtagent.it.workload.WorkloadConsole;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code SECONDS PINS}: interrupts every thread whose name begins with {@code vt-agent}, again and
 * again for that long. Then it prints which threads are gone and how much CPU time they used, and
 * pins the given number of times.
 */
public final class Interrupting {
    private static final int PERIOD_MILLIS = 20;

    private Interrupting() {}

    public static void main(String[] arguments) throws Exception {
        int seconds = Integer.parseInt(arguments[0]);
        int pins = Integer.parseInt(arguments[1]);
        Method park = Interrupting.class.getDeclaredMethod("park");
        Thread.ofVirtual().start(() -> below(park)).join();
        Thread.ofVirtual().start(Interrupting::sleep);
        WorkloadConsole.printAndWait("started");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Set<Thread> agents = agents();
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < seconds * 1_000_000_000L) {
            agents().forEach(Thread::interrupt);
            Thread.sleep(PERIOD_MILLIS);
        }
        // no more interrupts: a thread that does not clear its flag spins from now on
        Map<Thread, Long> before = times(threads, agents);
        Thread.sleep(seconds * 1_000L);
        long wallNanos = seconds * 1_000_000_000L;
        Set<String> gone = new TreeSet<>();
        Set<String> spinning = new TreeSet<>();
        Map<Thread, Long> after = times(threads, agents);
        for (Thread thread : agents) {
            if (!thread.isAlive() && !endsByItself(thread.getName())) {
                gone.add(thread.getName());
            }
            long used = after.getOrDefault(thread, 0L) - before.getOrDefault(thread, 0L);
            if (used > wallNanos / 5) {
                spinning.add(thread.getName() + " " + used * 100 / wallNanos + " %");
            }
        }
        WorkloadConsole.fact(
                "agents", new TreeSet<>(agents.stream().map(Thread::getName).toList()));
        WorkloadConsole.fact("gone", gone);
        WorkloadConsole.fact("spinning", spinning);
        WorkloadConsole.printAndWait("interrupted");
        for (int i = 0; i < pins; i++) {
            Thread.ofVirtual().start(() -> below(park)).join();
        }
        WorkloadConsole.printAndWait("pinned");
    }

    /**
     * Sleeps again and again, without a pin: the agent starts the JVM's events only where it finds
     * virtual threads that run.
     */
    private static void sleep() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The one that starts the events ends when they come, those that answer requests when there are
     * none.
     */
    private static boolean endsByItself(String thread) {
        return thread.equals("vt-agent-vm-events") || thread.startsWith("vt-agent-http-");
    }

    private static Set<Thread> agents() {
        Set<Thread> agents = new HashSet<>(Thread.getAllStackTraces().keySet());
        agents.removeIf(thread -> !thread.getName().startsWith("vt-agent"));
        return agents;
    }

    private static Map<Thread, Long> times(ThreadMXBean threads, Set<Thread> agents) {
        Map<Thread, Long> times = new HashMap<>();
        agents.forEach(thread -> times.put(thread, threads.getThreadCpuTime(thread.threadId())));
        return times;
    }

    private static void below(Method park) {
        try {
            park.invoke(null);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static void park() {
        LockSupport.parkNanos(1_000_000);
    }
}
