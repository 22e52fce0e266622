package io.vtagent.watch;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.PlatformThreads;
import io.vtagent.vm.Snapshot;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Which threads run class initializers now, as their stacks tell: the JVM does not say. A virtual thread that runs one is mounted.
 * For the one thread that looks.
 */
final class RunningInitializers {
    /** With very many platform threads, one search looks at as many of them as this allows, and the next one goes on from there. */
    private static final long LONGEST_SEARCH_NANOS = 5_000_000;

    static final long SHORTEST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final CarrierPool pool;
    private final long longestSearchNanos;

    /** By identity: the {@code hashCode} of a thread may be the application's code. */
    private IdentityHashMap<Thread, List<Class<?>>> running = new IdentityHashMap<>();

    private long searchedAtNanos;
    private long pauseNanos;

    /** The index of the platform thread that was looked at last. */
    private int next;

    RunningInitializers(CarrierPool pool) {
        this(pool, LONGEST_SEARCH_NANOS);
    }

    /** @param longestSearchNanos after which one search looks at no more platform threads */
    RunningInitializers(CarrierPool pool, long longestSearchNanos) {
        this.pool = pool;
        this.longestSearchNanos = longestSearchNanos;
    }

    /** The classes that threads other than {@code waiting} initialized at the last {@link #search}, without those on the way to them. */
    List<Class<?>> without(Thread waiting) {
        List<Class<?>> others = new ArrayList<>();
        running.forEach((thread, classes) -> {
            if (thread != waiting) {
                others.addAll(classes);
            }
        });
        return others;
    }

    /**
     * Searches, unless that was done lately: at once for what is new, then ever more rarely.
     *
     * @param isNew whether somebody wants to know who has not before
     */
    boolean searchIfDue(boolean isNew, long nowNanos) {
        if (!isNew && nowNanos - searchedAtNanos < pauseNanos) {
            return false;
        }
        search();
        searchedAtNanos = nowNanos;
        pauseNanos = isNew ? SHORTEST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        return true;
    }

    /** Takes the stacks of the threads that may run one: all virtual ones that are mounted, and platform threads. */
    void search() {
        IdentityHashMap<Thread, List<Class<?>>> found = new IdentityHashMap<>();
        for (Thread carrier : pool.carriers()) {
            Thread mounted = pool.mountedOn(carrier);
            if (mounted != null) {
                add(found, mounted);
            }
        }
        long beganNanos = System.nanoTime();
        Thread[] threads = PlatformThreads.all();
        for (int i = 0; i < threads.length && System.nanoTime() - beganNanos < longestSearchNanos; i++) {
            next = (next + 1) % threads.length;
            Thread thread = threads[next];
            if (!pool.isCarrier(thread) && thread != Thread.currentThread()) {
                add(found, thread);
            }
        }
        running = found;
    }

    /** Nobody wants to know: the classes, and so their loaders, and the threads are not to be kept until somebody does. */
    void forget() {
        if (!running.isEmpty()) {
            running = new IdentityHashMap<>();
        }
    }

    private static void add(IdentityHashMap<Thread, List<Class<?>>> found, Thread thread) {
        List<Class<?>> classes = Snapshot.of(thread).initializing();
        if (!classes.isEmpty()) {
            found.put(thread, classes);
        }
    }
}
