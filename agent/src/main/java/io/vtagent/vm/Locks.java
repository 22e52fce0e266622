package io.vtagent.vm;

import io.vtagent.thread.AgentThread;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Asks a lock who has it and who waits for it, from outside. Thread-safe. */
public final class Locks {
    private static final long LONGEST_PROBE_NANOS = 100_000_000;
    private static final long POLL_NANOS = 500_000;

    /** Nobody can call a thread back that waits for a monitor, so there are never more. */
    private static final int MOST_PROBES = 8;

    /** The threads that wait for monitors, which they leave as soon as they get them. By identity; guarded by itself. */
    private static final IdentityHashMap<Object, Thread> PROBES = new IdentityHashMap<>();

    /**
     * A lock at one moment.
     *
     * @param name its class without package, and its identity as in a thread dump: for a lock of {@code java.util.concurrent} that of
     *     its synchronizer
     * @param owner the thread that has it; null if none has, or none can be told
     * @param queue the threads that wait for it, the first to get it first
     */
    public record Lock(String name, @Nullable Thread owner, List<Thread> queue) {}

    /**
     * What a platform thread waits for at one moment.
     *
     * @param name as that of a {@link Lock}
     * @param ownerId the id of the thread that has it, of a mounted virtual one that of its carrier; -1 if none has, or none can be told
     */
    public record Blocked(
            String name, long ownerId, @Nullable String owner) {}

    private Locks() {}

    /** What the platform thread of that id waits for; null if it waits for nothing that the JVM tells. */
    public static @Nullable Blocked ofPlatformThread(long id) {
        if (!isManaged()) {
            return null;
        }
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(id);
        LockInfo lock = info == null ? null : info.getLockInfo();
        return info == null || lock == null
                ? null
                : new Blocked(nameOf(lock), info.getLockOwnerId(), info.getLockOwnerName());
    }

    /** As if the lock itself was there. */
    private static String nameOf(LockInfo lock) {
        String type = lock.getClassName();
        int nested = type.startsWith("java.util.concurrent.") ? type.indexOf('$') : -1;
        String name = nested < 0 ? type : type.substring(0, nested);
        return name.substring(name.lastIndexOf('.') + 1) + "@" + Integer.toHexString(lock.getIdentityHashCode());
    }

    /** The lock behind what a thread is parked for ({@link LockSupport#getBlocker}); null if that is no synchronizer. */
    public static @Nullable Lock ofBlocker(@Nullable Object blocker) {
        if (!(blocker instanceof AbstractOwnableSynchronizer synchronizer)) {
            return null;
        }
        Collection<Thread> queued =
                switch (synchronizer) {
                    case AbstractQueuedSynchronizer queue -> queue.getQueuedThreads();
                    case AbstractQueuedLongSynchronizer queue -> queue.getQueuedThreads();
                    default -> List.of();
                };
        List<Thread> queue = new ArrayList<>(queued);
        Collections.reverse(queue); // it is told from the tail
        return new Lock(nameOf(synchronizer), ownerOf(synchronizer), queue);
    }

    /** The class without package, of a nested one the outermost, and the identity in hexadecimal. */
    public static String nameOf(Object lock) {
        Class<?> type = lock.getClass();
        while (type.getEnclosingClass() != null && lock instanceof AbstractOwnableSynchronizer) {
            type = type.getEnclosingClass();
        }
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1) + "@" + Integer.toHexString(System.identityHashCode(lock));
    }

    private static @Nullable Thread ownerOf(AbstractOwnableSynchronizer synchronizer) {
        try {
            Method owner = AbstractOwnableSynchronizer.class.getDeclaredMethod("getExclusiveOwnerThread");
            owner.setAccessible(true);
            return (Thread) owner.invoke(synchronizer);
        } catch (ReflectiveOperationException | RuntimeException missing) {
            return null;
        }
    }

    /**
     * {@code monitor} as a thread sees it that waits for it; null if nobody has it, or if that cannot be told. The JVM tells the owner only
     * of a monitor that a platform thread waits for, so a throw-away one does: it leaves the monitor as soon as it gets it.
     */
    public static @Nullable Blocked ofMonitor(Object monitor) {
        if (!isManaged()) {
            return null;
        }
        Thread probe = probeOf(monitor);
        long beganNanos = System.nanoTime();
        while (probe != null && probe.isAlive() && System.nanoTime() - beganNanos < LONGEST_PROBE_NANOS) {
            if (probe.getState() == Thread.State.BLOCKED) {
                return ofPlatformThread(probe.threadId());
            }
            AgentThread.pause(POLL_NANOS);
        }
        return null;
    }

    /** Whether there is the module {@code java.management}. */
    private static boolean isManaged() {
        try {
            return ManagementFactory.getThreadMXBean() != null;
        } catch (NoClassDefFoundError missing) {
            return false;
        }
    }

    /** The one that waits for {@code monitor} already, or a new one; null if too many wait. */
    private static @Nullable Thread probeOf(Object monitor) {
        synchronized (PROBES) {
            Thread probe = PROBES.get(monitor);
            if (probe == null && PROBES.size() < MOST_PROBES) {
                probe = AgentThread.unstarted("vt-agent-owner", () -> enter(monitor));
                PROBES.put(monitor, probe);
                start(probe, monitor);
            }
            return probe;
        }
    }

    private static void start(Thread probe, Object monitor) {
        boolean started = false;
        try {
            probe.start();
            started = true;
        } finally {
            if (!started) { // for want of memory
                PROBES.remove(monitor);
            }
        }
    }

    private static void enter(Object monitor) {
        try {
            synchronized (monitor) {
                Thread.onSpinWait();
            }
        } finally {
            synchronized (PROBES) {
                PROBES.remove(monitor);
            }
        }
    }
}
