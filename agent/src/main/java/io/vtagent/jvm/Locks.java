package io.vtagent.jvm;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Finds the owner of a lock and the threads that wait for it. Thread-safe. */
public final class Locks {
    /**
     * A lock at one moment.
     *
     * @param name its class without package, and its identity as in a thread dump. The identity of
     *     a lock of {@code java.util.concurrent} is that of its synchronizer.
     * @param owner the thread that holds it; null if no thread does, or the owner is not known
     * @param queue the threads that wait for it, in queue order
     */
    public record Lock(String name, @Nullable Thread owner, List<Thread> queue) {}

    private Locks() {}

    /**
     * Returns the lock of a {@code blocker}, for which a thread is parked ({@link
     * LockSupport#getBlocker}); null if the blocker is not a synchronizer.
     */
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
        Collections.reverse(queue); // the JDK lists it from the tail
        return new Lock(nameOf(synchronizer), ownerOf(synchronizer), queue);
    }

    /**
     * Returns the class without package, and the identity in hexadecimal. The class of a
     * synchronizer that is nested is its outermost class.
     */
    public static String nameOf(Object lock) {
        Class<?> type = lock.getClass();
        while (type.getEnclosingClass() != null && lock instanceof AbstractOwnableSynchronizer) {
            type = type.getEnclosingClass();
        }
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1)
                + "@"
                + Integer.toHexString(System.identityHashCode(lock));
    }

    /** Returns the thread that holds {@code synchronizer}; null if none does or it is not known. */
    public static @Nullable Thread ownerOf(AbstractOwnableSynchronizer synchronizer) {
        try {
            Method owner = JdkInternal.EXCLUSIVE_OWNER.method();
            owner.setAccessible(true);
            return (Thread) owner.invoke(synchronizer);
        } catch (ReflectiveOperationException | RuntimeException missing) {
            return null;
        }
    }
}
