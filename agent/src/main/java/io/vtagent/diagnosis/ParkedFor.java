package io.vtagent.diagnosis;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.jvm.Locks;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The synchronizer, condition or task for which a thread is parked, as {@code java.util.concurrent}
 * reports it.
 *
 * @param name as that of a {@link Locks.Lock}
 * @param owner the thread that has the lock or runs the task; null if there is none or it is not
 *     known
 * @param free whether the first thread of the queue gets it now; false if that is not known
 * @param queue the threads that wait for it, the next owner first, as far as they are known
 */
public record ParkedFor(
        Kind kind, String name, @Nullable Thread owner, boolean free, List<Thread> queue) {
    public enum Kind {
        /** A lock, a latch, a semaphore: a synchronizer with a queue. */
        SYNCHRONIZER,
        /** The condition of a lock. Nothing shows which thread will signal it. */
        CONDITION,
        /** A task that another thread runs. */
        TASK
    }

    /**
     * Returns what {@code thread} is parked for; null if it is not parked, or is parked for
     * something else.
     */
    public static @Nullable ParkedFor of(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        if (blocker instanceof FutureTask<?> task) {
            Thread runner = (Thread) read(FutureTask.class, JdkInternal.TASK_RUNNER, task);
            return new ParkedFor(Kind.TASK, Locks.nameOf(task), runner, false, List.of());
        }
        boolean condition =
                blocker instanceof AbstractQueuedSynchronizer.ConditionObject
                        || blocker instanceof AbstractQueuedLongSynchronizer.ConditionObject;
        return blocker != null && condition ? condition(blocker) : synchronizer(blocker);
    }

    /**
     * Returns the thread that has the {@code blocker} of a parked thread, or runs that task; null
     * if there is none or it is not known. Does not read the queue, which may be long.
     */
    static @Nullable Thread ownerOf(Object blocker) {
        if (blocker instanceof FutureTask<?> task) {
            return (Thread) read(FutureTask.class, JdkInternal.TASK_RUNNER, task);
        }
        if (!(blocker instanceof AbstractOwnableSynchronizer synchronizer)) {
            return null;
        }
        Thread owner = Locks.ownerOf(synchronizer);
        return owner == null ? onlyReader(blocker) : owner;
    }

    /** Returns the lock of {@code blocker} if that is a condition, otherwise {@code blocker}. */
    static Object lockOf(Object blocker) {
        Object lock =
                blocker instanceof AbstractQueuedSynchronizer.ConditionObject
                                || blocker instanceof AbstractQueuedLongSynchronizer.ConditionObject
                        ? read(blocker.getClass(), JdkInternal.CONDITION_OWNER, blocker)
                        : null;
        return lock == null ? blocker : lock;
    }

    private static ParkedFor condition(Object condition) {
        return new ParkedFor(
                Kind.CONDITION, Locks.nameOf(lockOf(condition)), null, false, List.of());
    }

    private static @Nullable ParkedFor synchronizer(@Nullable Object blocker) {
        Locks.Lock lock = Locks.ofBlocker(blocker);
        if (blocker == null || lock == null) {
            return null;
        }
        Thread owner = lock.owner() == null ? onlyReader(blocker) : lock.owner();
        return new ParkedFor(
                Kind.SYNCHRONIZER,
                lock.name(),
                owner,
                owner == null && isFree(blocker),
                lock.queue());
    }

    /**
     * Returns whether the first thread in its queue would get it now. Returns false for
     * synchronizers of other classes, because only they know what their state means.
     */
    private static boolean isFree(Object synchronizer) {
        Class<?> kind = synchronizer.getClass().getNestHost();
        long state = stateOf(synchronizer);
        return kind == Semaphore.class
                ? state > 0
                : state == 0
                        && (kind == ReentrantLock.class
                                || kind == ReentrantReadWriteLock.class
                                || kind == CountDownLatch.class);
    }

    /**
     * Returns the thread that has the read lock if it is the only reader, else null. Of several
     * readers, the lock only keeps the number.
     */
    private static @Nullable Thread onlyReader(Object synchronizer) {
        Class<?> type = synchronizer.getClass().getSuperclass();
        if (type == null || synchronizer.getClass().getNestHost() != ReentrantReadWriteLock.class) {
            return null;
        }
        // readers are the upper half of an int, on later JDKs of a long
        long readers =
                read(type, JdkInternal.READERS_SHIFT, null) instanceof Integer shift
                        ? stateOf(synchronizer) >>> shift
                        : 0;
        return readers > 0
                        && read(type, JdkInternal.FIRST_READER_HOLDS, synchronizer)
                                instanceof Integer ofFirst
                        && ofFirst == readers
                ? (Thread) read(type, JdkInternal.FIRST_READER, synchronizer)
                : null;
    }

    /** Returns -1 if the state is not known. */
    private static long stateOf(Object synchronizer) {
        JdkInternal getter =
                synchronizer instanceof AbstractQueuedSynchronizer
                        ? JdkInternal.SYNCHRONIZER_STATE
                        : JdkInternal.LONG_SYNCHRONIZER_STATE;
        try {
            Method state = getter.method();
            state.setAccessible(true);
            return ((Number) state.invoke(synchronizer)).longValue();
        } catch (ReflectiveOperationException | RuntimeException missing) {
            return -1;
        }
    }

    /** Reads the field of that name, which a subclass may have as well. */
    private static @Nullable Object read(Class<?> type, JdkInternal named, @Nullable Object from) {
        try {
            Field field = type.getDeclaredField(named.member());
            field.setAccessible(true);
            return field.get(from);
        } catch (ReflectiveOperationException | RuntimeException missing) {
            return null;
        }
    }
}
