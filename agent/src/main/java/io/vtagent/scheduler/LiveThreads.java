package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.SharedThreadContainer;
import jdk.internal.vm.StackableScope;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;
import org.jspecify.annotations.Nullable;

/**
 * Lists and counts the virtual threads that are alive, by the containers in which the JDK itself
 * keeps them. Nothing is done when a thread starts or ends, no lock is taken and no thread is
 * stopped. The figures may be outdated when the caller reads them. Thread-safe.
 *
 * <p>A virtual thread that is started directly is in the JDK's root container, another one in that
 * of its executor. Threads of a {@code StructuredTaskScope} are in a container that only the thread
 * that opened it refers to. To find these, all threads have to be visited, so that is done only in
 * a JVM that has used such a scope.
 */
public final class LiveThreads {
    /** The system property without which the JDK knows all threads. */
    public static final String TRACK_ALL_THREADS = "jdk.trackAllThreads";

    /** The result of {@link #count} if the JDK does not know all threads. */
    public static final long UNKNOWN = -1;

    /** The part of the time that {@link #count} may take if it visits all threads: 2 %. */
    private static final long PAUSE_PER_VISIT = 50;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final Set<WeakReference<ThreadContainer>> registered;

    /** Null if the JDK does not track the threads that are started directly. */
    private final @Nullable Set<Thread> root;

    private final Field shared;

    private final Class<?> flock;
    private final LongSupplier nanoClock;

    private final long container = JdkInternal.THREAD_CONTAINER.offset();
    private final long scope = JdkInternal.THREAD_SCOPE.offset();
    private final long previous = JdkInternal.PREVIOUS_SCOPE.offset();

    private volatile long visited;
    private volatile long nextVisitNanos;

    /** A container of threads. Thread-safe. */
    public static final class Container {
        /** The container of the threads that are started directly. */
        public static final Container ROOT = new Container(null);

        private final @Nullable ThreadContainer container;
        private @Nullable String name;

        private Container(@Nullable ThreadContainer container) {
            this.container = container;
        }

        /**
         * Returns the name as in a thread dump, which has the class and the identity of an executor
         * without a name; empty for the root container.
         */
        public String name() {
            String known = name;
            if (known == null) {
                known = container == null ? "" : nameOf(container);
                name = known;
            }
            return known;
        }

        private static String nameOf(ThreadContainer container) {
            String given = given(container);
            return given == null || given.isEmpty()
                    ? container.getClass().getName()
                            + "@"
                            + Integer.toHexString(System.identityHashCode(container))
                    : given;
        }

        private static @Nullable String given(ThreadContainer container) {
            try {
                return (String) JdkInternal.CONTAINER_NAME.method().invoke(container);
            } catch (ReflectiveOperationException missing) {
                return null;
            }
        }
    }

    /**
     * @param tracksAll whether the JDK tracks the threads that are started directly
     * @param flock the class behind {@code StructuredTaskScope}
     */
    LiveThreads(boolean tracksAll, Class<?> flock, LongSupplier nanoClock)
            throws ReflectiveOperationException {
        registered = set(JdkInternal.CONTAINERS);
        root = tracksAll ? set(JdkInternal.ROOT_THREADS) : null;
        shared = JdkInternal.SHARED_THREADS.field();
        shared.setAccessible(true);
        this.flock = flock;
        this.nanoClock = nanoClock;
        nextVisitNanos = nanoClock.getAsLong();
    }

    /**
     * Returns the threads of this JVM.
     *
     * @throws ReflectiveOperationException if this JDK's containers are not the known ones
     * @throws LinkageError for the same reason
     */
    public static LiveThreads ofThisJvm() throws ReflectiveOperationException {
        return new LiveThreads(
                ThreadContainers.trackAllThreads(),
                JdkInternal.THREAD_FLOCK.type(),
                System::nanoTime);
    }

    @SuppressWarnings("unchecked")
    private static <T> Set<T> set(JdkInternal internal) throws ReflectiveOperationException {
        Class<?> unused = internal.initializedType();
        Field field = internal.field();
        field.setAccessible(true);
        return (Set<T>) field.get(null);
    }

    /**
     * Returns whether the JDK lists all threads. It does not if the JVM was started with {@code
     * -Djdk.trackAllThreads=false}; threads that are started directly are not listed then.
     */
    public boolean areAllKnown() {
        return root != null;
    }

    /**
     * Returns the number of virtual threads, or {@link #UNKNOWN}. Takes time in proportion to the
     * number of containers and of platform threads. In a JVM that has used a {@code
     * StructuredTaskScope} it visits all threads, at most for 2 % of the time, and returns the
     * number of the last visit meanwhile.
     */
    public long count() {
        if (root == null) {
            return UNKNOWN;
        }
        return scopesAreUsed() ? visitedCount() : sizes(root);
    }

    private boolean scopesAreUsed() {
        return !UNSAFE.shouldBeInitialized(flock);
    }

    private synchronized long visitedCount() {
        long beganNanos = nanoClock.getAsLong();
        if (beganNanos - nextVisitNanos >= 0) {
            long[] count = new long[1];
            boolean unused =
                    forEach(
                            (thread, in) -> {
                                count[0]++;
                                return true;
                            });
            visited = count[0];
            long nowNanos = nanoClock.getAsLong();
            nextVisitNanos = nowNanos + PAUSE_PER_VISIT * (nowNanos - beganNanos);
        }
        return visited;
    }

    private long sizes(Set<Thread> ofRoot) {
        long count = ofRoot.size();
        IdentityHashMap<Object, ThreadContainer> mixed = new IdentityHashMap<>();
        for (ThreadContainer each : registered()) {
            if (each instanceof SharedThreadContainer) {
                Set<Thread> virtual = virtualThreads(each);
                count += virtual == null ? 0 : virtual.size();
            } else {
                count += each.threadCount();
                mixed.put(each, each);
            }
        }
        if (!mixed.isEmpty()) {
            for (Thread platform : PlatformThreads.all()) {
                if (mixed.containsKey(UNSAFE.getReference(platform, container))) {
                    count--;
                }
            }
        }
        return Math.max(count, 0);
    }

    /**
     * Passes each virtual thread and its container to {@code visitor} until that returns false.
     *
     * @return whether all were visited
     */
    public boolean forEach(BiPredicate<Thread, Container> visitor) {
        Walk walk = new Walk(visitor, scopesAreUsed());
        if (root != null && !walk.visit(root.iterator(), Container.ROOT)) {
            return false;
        }
        if (walk.scopes) {
            for (Thread platform : PlatformThreads.all()) {
                walk.addScopesOf(platform);
            }
        }
        walk.unvisited.addAll(registered());
        while (!walk.unvisited.isEmpty()) {
            ThreadContainer next = walk.unvisited.remove();
            Iterator<Thread> threads = threads(next);
            if (threads != null && !walk.visit(threads, new Container(next))) {
                return false;
            }
        }
        return true;
    }

    /** One pass over all threads. Not thread-safe. */
    private final class Walk {
        private final BiPredicate<Thread, Container> visitor;
        private final boolean scopes;
        private final ArrayDeque<ThreadContainer> unvisited = new ArrayDeque<>();

        Walk(BiPredicate<Thread, Container> visitor, boolean scopes) {
            this.visitor = visitor;
            this.scopes = scopes;
        }

        boolean visit(Iterator<Thread> threads, Container in) {
            while (threads.hasNext()) {
                Thread thread = threads.next();
                if (scopes) {
                    addScopesOf(thread);
                }
                if (thread.isVirtual() && thread.isAlive() && !visitor.test(thread, in)) {
                    return false;
                }
            }
            return true;
        }

        /** Adds the containers that {@code thread} has opened and not closed. */
        void addScopesOf(Thread thread) {
            Object next = UNSAFE.getReferenceVolatile(thread, scope);
            while (next instanceof StackableScope opened) {
                if (opened instanceof ThreadContainer opens) {
                    unvisited.add(opens);
                }
                next = UNSAFE.getReferenceVolatile(opened, previous);
            }
        }
    }

    private List<ThreadContainer> registered() {
        List<ThreadContainer> containers = new ArrayList<>();
        for (WeakReference<ThreadContainer> reference : registered) {
            ThreadContainer next = reference.get();
            if (next != null) {
                containers.add(next);
            }
        }
        return containers;
    }

    private @Nullable Iterator<Thread> threads(ThreadContainer of) {
        if (of instanceof SharedThreadContainer) {
            // its own list begins with a search among all platform threads
            Set<Thread> virtual = virtualThreads(of);
            return virtual == null ? null : virtual.iterator();
        }
        return of.threads().iterator();
    }

    @SuppressWarnings("unchecked")
    private @Nullable Set<Thread> virtualThreads(ThreadContainer of) {
        try {
            return (Set<Thread>) shared.get(of);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
