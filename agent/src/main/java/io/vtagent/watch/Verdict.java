package io.vtagent.watch;

import io.vtagent.record.Site;
import io.vtagent.vm.Locks;
import io.vtagent.vm.Platform;
import io.vtagent.vm.SnapshotStack;
import io.vtagent.vm.VirtualThreads;
import io.vtagent.watch.DiagnosisBuilder.Patient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says in one sentence why every carrier is held: who would have to run and cannot, or that there is too much to do. */
final class Verdict {
    /** The JDK's virtual threads that wait for sockets on behalf of the others (sun.nio.ch.Poller), from JDK 22 on. */
    private static final String POLLER = "SubPoller-";

    private final List<Patient> patients;
    private final List<Thread> waiting;
    private final long queued;
    private final int moved;
    private final @Nullable String onInitializers;

    /** @param onInitializers what there is to say of threads that initialize classes */
    Verdict(List<Patient> patients, List<Thread> waiting, long queued, int moved, @Nullable String onInitializers) {
        this.patients = patients;
        this.waiting = waiting;
        this.queued = queued;
        this.moved = moved;
        this.onInitializers = onInitializers;
    }

    /** @param behind how many carriers are held by threads of {@code circle} or by threads that wait for those */
    static String ofCircle(List<Waits.Link> circle, long behind, int carriers) {
        StringBuilder text = new StringBuilder("Deadlock: ");
        for (int i = 0; i < circle.size(); i++) {
            Waits.Link link = circle.get(i);
            Who owner = circle.get((i + 1) % circle.size()).thread();
            text.append(i == 0 ? "`" : ", `").append(link.thread().shortLabel());
            text.append("` waits for `").append(link.waitsFor());
            text.append("`, which `").append(owner.shortLabel()).append("` has");
        }
        return text.append(". ").append(behind).append(" of ").append(carriers)
                + " carriers are held by these and by threads that wait for them.";
    }

    String sentence() {
        String found = onLock();
        if (found == null) {
            found = onPoller();
        }
        if (found == null) {
            found = onInitializers;
        }
        return found == null ? onLoad() : found;
    }

    /** Whoever should have the lock now has no carrier, since those that wait for it have them all. */
    private @Nullable String onLock() {
        Map<String, Integer> waiters = new HashMap<>();
        for (Patient patient : patients) {
            Locks.Lock lock = patient.lock();
            if (lock == null) {
                continue;
            }
            int count = waiters.merge(lock.name(), 1, Integer::sum);
            Thread owner = lock.owner();
            Thread first = lock.queue().isEmpty() ? null : lock.queue().getFirst();
            Thread needed = owner == null ? first : owner;
            boolean last = count == countOf(lock);
            if (needed == null || !last || !isReady(needed)) {
                continue;
            }
            return "`" + lock.name() + "` " + (owner == null ? "was released to `" : "is owned by `")
                    + Who.of(needed).shortLabel() + "`, which has no carrier to run on: " + count + " of "
                    + patients.size()
                    + " carriers are held by threads that wait for it " + behind();
        }
        return null;
    }

    private int countOf(Locks.Lock lock) {
        return (int) patients.stream()
                .filter(patient ->
                        patient.lock() != null && patient.lock().name().equals(lock.name()))
                .count();
    }

    private String behind() {
        if (patients.stream().anyMatch(Patient::isBehindMonitor)) {
            return "behind a monitor.";
        }
        return patients.stream().anyMatch(Patient::isAboveNativeFrameOrInitializer)
                ? "above a native frame or a class initializer."
                : "behind something that the agent did not see them enter.";
    }

    private @Nullable String onPoller() {
        long inPoller = patients.stream().filter(Patient::isInPoller).count();
        for (Thread thread : waiting) {
            if (inPoller > 0 && thread.getName().startsWith(POLLER)) {
                return inPoller + " of " + patients.size() + " carriers are held by threads that wait for a socket "
                        + behind().replace(".", ",") + " and `" + thread.getName()
                        + "`, the JDK's virtual thread that would wake them, has no carrier to run on.";
            }
        }
        return null;
    }

    private String onLoad() {
        Map<String, Integer> places = new HashMap<>();
        for (Patient patient : patients) {
            places.merge(placeOf(patient), 1, Integer::sum);
        }
        String most = "";
        for (Map.Entry<String, Integer> place : places.entrySet()) {
            if (most.isEmpty() || place.getValue() > places.getOrDefault(most, 0)) {
                most = place.getKey();
            }
        }
        String where = "All " + patients.size() + " carriers are held, " + places.getOrDefault(most, 0) + " of them at "
                + most + ", while " + queued + (queued == 1 ? " virtual thread waits" : " virtual threads wait")
                + " for one. ";
        return where
                + (moved > 0
                        ? "Overload, not a deadlock: " + moved
                                + " of them took up another thread in the second half of that time."
                        : "None of them took up another thread in the second half of that time.");
    }

    private static String placeOf(Patient patient) {
        Site site = patient.pin() == null ? null : patient.pin().site();
        if (site != null) {
            return "`" + site.key().site() + "` in " + site.key().operation();
        }
        List<StackTraceElement> frames = patient.frames();
        int caller = 0;
        while (caller < frames.size() && Platform.owns(frames.get(caller))) {
            caller++;
        }
        if (caller > 0 && caller < frames.size()) {
            StackTraceElement called = frames.get(caller - 1);
            return "`" + SnapshotStack.location(frames.get(caller)) + "` in " + called.getClassName() + "."
                    + called.getMethodName();
        }
        return frames.isEmpty() ? "an unknown place" : "`" + frames.getFirst() + "`";
    }

    private static boolean isReady(Thread thread) {
        return thread.isVirtual() && thread.getState() == Thread.State.RUNNABLE && !VirtualThreads.isMounted(thread);
    }
}
