package io.vtagent.diagnosis;

import io.vtagent.jvm.Locks;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.JdkCode;
import io.vtagent.site.UnmountedStack;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds deadlocks: threads that are parked for each other's locks, none of them with a time limit.
 * The virtual threads among them have no carrier; {@link WaitGraph} finds the others. Use an
 * instance once, on one thread.
 */
final class LockCycles {
    /**
     * A thread of a cycle, and the lock for which it is parked. The next thread of the cycle has
     * this lock.
     */
    record Member(Thread thread, AbstractOwnableSynchronizer lock) {}

    private final BooleanSupplier over;

    /** By identity: the {@code hashCode} of a thread may be the application's code. */
    private final IdentityHashMap<Thread, Boolean> visited = new IdentityHashMap<>();

    /**
     * @param over returns whether no time is left
     */
    LockCycles(BooleanSupplier over) {
        this.over = over;
    }

    /**
     * Returns the cycle of which {@code thread} is a member or for one of whose locks it waits,
     * directly or not; empty if there is none, or if it has been returned before.
     */
    List<Member> from(Thread thread) {
        List<Member> chain = new ArrayList<>();
        Thread next = thread;
        while (next != null && !over.getAsBoolean()) {
            int first = indexOf(next, chain);
            if (first >= 0) {
                List<Member> cycle = List.copyOf(chain.subList(first, chain.size()));
                return areStill(cycle) ? cycle : List.of();
            }
            Member member = visited.put(next, true) == null ? parked(next) : null;
            if (member == null) {
                return List.of();
            }
            chain.add(member);
            next = Locks.ownerOf(member.lock);
        }
        return List.of();
    }

    /** Returns what the threads of a cycle have and wait for. */
    static List<Diagnosis.Link> describe(List<Member> cycle) {
        List<Diagnosis.Link> links = new ArrayList<>();
        Member before = cycle.isEmpty() ? null : cycle.getLast();
        for (Member member : cycle) {
            if (before != null) {
                links.add(
                        new Diagnosis.Link(
                                ThreadLabel.of(member.thread).label(),
                                Locks.nameOf(before.lock),
                                Locks.nameOf(member.lock)));
            }
            before = member;
        }
        return links;
    }

    private static int indexOf(Thread thread, List<Member> chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (chain.get(i).thread == thread) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether it is as it was. Then all of it was true at one moment. */
    private static boolean areStill(List<Member> cycle) {
        for (int i = 0; i < cycle.size(); i++) {
            Member member = cycle.get(i);
            Member now = parked(member.thread);
            Thread next = cycle.get((i + 1) % cycle.size()).thread;
            if (now == null || now.lock != member.lock || Locks.ownerOf(now.lock) != next) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns null if {@code thread} waits for no lock, with a time limit, on a carrier, or if the
     * application's code would have to run. A thread keeps its blocker until it runs again, so its
     * state counts as well.
     */
    private static @Nullable Member parked(Thread thread) {
        if (!(LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer lock)
                || VirtualThreads.isMounted(thread)
                || !JdkCode.owns(thread.getClass())
                || thread.getState() != Thread.State.WAITING) {
            return null;
        }
        List<StackTraceElement> frames = thread.isVirtual() ? UnmountedStack.of(thread) : List.of();
        boolean unknown = thread.isVirtual() && frames.isEmpty();
        return unknown || VirtualThreads.isTimed(thread, () -> frames)
                ? null
                : new Member(thread, lock);
    }
}
