package io.vtagent.diagnosis;

import io.vtagent.jvm.Locks;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.UnmountedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that are parked for each other's locks, none of them with a time limit: a deadlock. Those
 * among them that are virtual have no carrier; {@link WaitGraph} finds the others.
 */
final class LockCycle {
    /** A longer chain is not followed. */
    private static final int MAX_THREADS = 1_000;

    /** A thread, the lock for which it is parked, and the thread that has this lock. */
    private record Parked(Thread thread, Object lock, Thread owner) {}

    private LockCycle() {}

    /**
     * Returns the cycle of which {@code thread} is a member or for one of whose locks it waits,
     * directly or not. Each thread of it waits for the next one. Empty if there is none.
     */
    static List<Thread> from(Thread thread) {
        List<Parked> chain = new ArrayList<>();
        Parked next = parked(thread);
        while (next != null && chain.size() < MAX_THREADS) {
            int first = indexOf(next.thread, chain);
            if (first >= 0) {
                List<Parked> cycle = chain.subList(first, chain.size());
                return areStill(cycle) ? cycle.stream().map(Parked::thread).toList() : List.of();
            }
            chain.add(next);
            next = parked(next.owner);
        }
        return List.of();
    }

    /** Returns what the threads of a cycle have and wait for. */
    static List<Diagnosis.Link> describe(List<Thread> cycle) {
        List<Diagnosis.Link> links = new ArrayList<>();
        for (int i = 0; i < cycle.size(); i++) {
            Object has = LockSupport.getBlocker(cycle.get((i + cycle.size() - 1) % cycle.size()));
            Object waitsFor = LockSupport.getBlocker(cycle.get(i));
            if (has == null || waitsFor == null) {
                return List.of(); // somebody has ended the deadlock
            }
            links.add(
                    new Diagnosis.Link(
                            ThreadLabel.of(cycle.get(i)).label(),
                            Locks.nameOf(has),
                            Locks.nameOf(waitsFor)));
        }
        return links;
    }

    private static int indexOf(Thread thread, List<Parked> chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (chain.get(i).thread == thread) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether it is as it was. Then all of it was true at one moment. */
    private static boolean areStill(List<Parked> cycle) {
        for (Parked each : cycle) {
            Parked now = parked(each.thread);
            if (now == null || now.lock != each.lock || now.owner != each.owner) {
                return false;
            }
        }
        return true;
    }

    /** Returns null if {@code thread} waits for no lock, not for ever, or on a carrier. */
    private static @Nullable Parked parked(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        if (!(blocker instanceof AbstractOwnableSynchronizer)
                || VirtualThreads.isMounted(thread)
                || VirtualThreads.isTimed(thread, () -> UnmountedStack.of(thread))) {
            return null;
        }
        Thread owner = ParkedFor.ownerOf(blocker);
        return owner == null || owner == thread ? null : new Parked(thread, blocker, owner);
    }
}
