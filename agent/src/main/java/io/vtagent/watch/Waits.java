package io.vtagent.watch;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Locks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What threads wait for, and who has that, followed from one thread to the next: through those that hold carriers, unmounted ones and
 * platform threads. Each thread is asked once. For one thread.
 */
final class Waits {
    private static final int MOST_PROBES = 8;

    /**
     * What a thread waits for.
     *
     * @param name of the lock or monitor
     * @param lock null if it is a monitor, or what a platform thread waits for
     * @param owner who has it, if that is known
     */
    record Wait(
            String name,
            Locks.@Nullable Lock lock,
            @Nullable Who owner) {}

    /** One of several threads each of which waits for what the next one has, and has what the one before waits for. */
    record Link(Who thread, String has, String waitsFor) {}

    private final CarrierPool pool;
    /** Those that were asked, by id; null for one that waits for nothing that is known. */
    private final Map<Long, @Nullable Wait> waits = new HashMap<>();
    /** Threads that are known by more than their id. */
    private final Map<Long, Thread> threads = new HashMap<>();
    /** By identity: the {@code hashCode} of a monitor is the application's code, and may wait for that very monitor. */
    private final IdentityHashMap<Object, Locks.@Nullable Blocked> owners = new IdentityHashMap<>();

    Waits(CarrierPool pool) {
        this.pool = pool;
    }

    /** @param monitor what {@code thread} waits to enter, if it does and that is known */
    @Nullable
    Wait of(Thread thread, @Nullable Object monitor) {
        long id = thread.threadId();
        threads.put(id, thread);
        if (monitor != null && !waits.containsKey(id)) {
            waits.put(id, new Wait(Locks.nameOf(monitor), null, ownerOf(monitor)));
        }
        return of(id);
    }

    private @Nullable Wait of(long id) {
        if (!waits.containsKey(id)) {
            waits.put(id, ask(id));
        }
        return waits.get(id);
    }

    private @Nullable Wait ask(long id) {
        Thread thread = threads.get(id);
        Locks.Lock lock = thread == null ? null : Locks.ofBlocker(LockSupport.getBlocker(thread));
        if (lock != null) {
            Thread owner = lock.owner();
            if (owner != null) {
                threads.put(owner.threadId(), owner);
            }
            return new Wait(lock.name(), lock, owner == null ? null : Who.of(owner));
        }
        Locks.Blocked blocked = thread == null || !thread.isVirtual() ? Locks.ofPlatformThread(id) : null;
        return blocked == null ? null : new Wait(blocked.name(), null, who(blocked.ownerId(), blocked.owner()));
    }

    private @Nullable Who ownerOf(Object monitor) {
        if (!owners.containsKey(monitor)) {
            owners.put(monitor, owners.size() < MOST_PROBES ? Locks.ofMonitor(monitor) : null);
        }
        Locks.Blocked blocked = owners.get(monitor);
        return blocked == null ? null : who(blocked.ownerId(), blocked.owner());
    }

    /** The JVM calls the owner of a monitor by its carrier. */
    private @Nullable Who who(long id, @Nullable String name) {
        if (id < 0) {
            return null;
        }
        for (Thread carrier : pool.carriers()) {
            Thread thread = carrier.threadId() == id ? pool.mountedOn(carrier) : null;
            if (thread != null) {
                threads.put(thread.threadId(), thread);
                return Who.of(thread);
            }
        }
        return Who.ofPlatformThread(id, name);
    }

    /** The threads that wait for each other, if {@code thread} is one of them or waits for one, and so on; else none. */
    List<Link> circleFrom(Thread thread) {
        threads.put(thread.threadId(), thread);
        List<Who> path = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Map<Long, Integer> places = new HashMap<>();
        Who next = Who.of(thread);
        while (next != null && !places.containsKey(next.id())) {
            Wait wait = of(next.id());
            if (wait == null) {
                return List.of();
            }
            places.put(next.id(), path.size());
            path.add(next);
            names.add(wait.name());
            next = wait.owner();
        }
        int last = path.size() - 1;
        int first = next == null ? last : places.getOrDefault(next.id(), last);
        List<Link> circle = new ArrayList<>();
        for (int i = first; first < last && i <= last; i++) { // nobody waits for himself: it has just got it
            circle.add(new Link(path.get(i), names.get(i == first ? last : i - 1), names.get(i)));
        }
        return circle;
    }
}
