package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.Site;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.Locks;
import io.vtagent.vm.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every carrier once, to make a {@link Diagnosis}. Takes no lock of the application's, but to learn who owns a monitor a
 * throw-away thread waits for it.
 */
final class Examination {
    private static final int MOST_QUEUED = 20;
    private static final int MOST_PROBES = 8;

    /** What a verdict needs to know of one carrier. */
    record Patient(
            Thread carrier,
            Thread thread,
            @Nullable ActivePin pin,
            List<StackTraceElement> frames,
            Locks.@Nullable Lock lock,
            @Nullable String monitor,
            @Nullable String monitorOwner) {

        boolean isInPoller() {
            return frames.stream().anyMatch(frame -> frame.getClassName().equals("sun.nio.ch.Poller"));
        }

        /** Whether a monitor is what keeps it on its carrier. */
        boolean isBehindMonitor() {
            Site site = pin == null ? null : pin.site();
            HeldStack stack = site == null ? null : site.stack();
            return stack != null && stack.cause() == HeldStack.Cause.MONITOR;
        }
    }

    private final CarrierPool pool;
    private final int stackDepth;
    private final Map<Thread, ActivePin> pins = new HashMap<>();
    /** By identity: the {@code hashCode} of a monitor is the application's code, and may wait for that very monitor. */
    private final IdentityHashMap<Object, Long> owners = new IdentityHashMap<>();

    Examination(CarrierPool pool, List<ActivePin> active, int stackDepth) {
        this.pool = pool;
        this.stackDepth = stackDepth;
        active.forEach(pin -> pins.put(pin.carrier(), pin));
    }

    /**
     * @param moved how many carriers have carried something else since half of that time had passed
     * @param relieved whether somebody adds carriers
     */
    Diagnosis make(long starvedNanos, int moved, boolean relieved) {
        List<Patient> patients = new ArrayList<>();
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null) {
                patients.add(examine(carrier, thread));
            }
        }
        Map<String, Locks.Lock> locks = new LinkedHashMap<>();
        patients.forEach(patient -> {
            if (patient.lock != null) {
                locks.put(patient.lock.name(), patient.lock);
            }
        });
        long queued = pool.queued();
        List<Thread> waiting = pool.queuedThreads(MOST_QUEUED);
        String verdict = new Verdict(patients, waiting, queued, moved).sentence();
        return new Diagnosis(
                verdict,
                moved > 0 || relieved ? null : remedy(),
                starvedNanos,
                patients.size(),
                queued,
                waiting.stream().map(Examination::nameOf).toList(),
                patients.stream().map(this::describe).toList(),
                locks.values().stream().map(Examination::describe).toList());
    }

    /** What the option would do, since work is queued, and all it needs is a carrier. */
    private String remedy() {
        return "relief=stuck would add carriers, one at a time, until something moves"
                + (pool.size() < pool.max()
                        ? ""
                        : ", if there were room: raise " + CarrierPool.MAX_POOL_SIZE + ", which is " + pool.max());
    }

    private Patient examine(Thread carrier, Thread thread) {
        ActivePin pin = pins.get(carrier);
        Locks.Lock lock = Locks.ofBlocker(LockSupport.getBlocker(thread));
        Object monitor = pin == null || pin.kind() != PinKind.ENTER ? null : pin.monitor();
        return new Patient(
                carrier,
                thread,
                pin,
                List.of(thread.getStackTrace()),
                lock,
                monitor == null ? null : Locks.nameOf(monitor),
                monitor == null ? null : ownerOf(monitor));
    }

    private @Nullable String ownerOf(Object monitor) {
        Long id = owners.get(monitor);
        if (id == null) {
            id = owners.size() < MOST_PROBES ? Locks.ownerIdOf(monitor) : -1;
            owners.put(monitor, id);
        }
        if (id < 0) {
            return null;
        }
        for (Thread carrier : pool.carriers()) {
            Thread thread = carrier.threadId() == id ? pool.mountedOn(carrier) : null;
            if (thread != null) {
                return nameOf(thread);
            }
        }
        return "platform thread #" + id;
    }

    private Diagnosis.Held describe(Patient patient) {
        ActivePin pin = patient.pin;
        String state = pin == null
                ? patient.carrier.getState().toString().toLowerCase(Locale.ROOT)
                : pin.kind().label() + " for " + pin.ageNanos() / 1_000_000 + " ms";
        Locks.Lock lock = patient.lock;
        Thread owner = lock == null ? null : lock.owner();
        return new Diagnosis.Held(
                patient.carrier.getName(),
                nameOf(patient.thread),
                state,
                lock == null ? patient.monitor : lock.name(),
                lock == null ? patient.monitorOwner : owner == null ? null : nameOf(owner),
                frames(patient));
    }

    private List<String> frames(Patient patient) {
        Site site = patient.pin == null ? null : patient.pin.site();
        HeldStack stack = site == null ? null : site.stack();
        List<String> lines = new ArrayList<>();
        for (StackTraceElement frame : patient.frames) {
            if (lines.size() == stackDepth) {
                break;
            }
            String mark = frame.isNativeMethod() && !lines.isEmpty() ? "  <== native frame" : "";
            if (stack != null && stack.holder().equals(SnapshotStack.location(frame))) {
                mark = stack.mark();
            }
            String monitors = stack == null ? "" : stack.markOfMonitors(frame.toString());
            if (!monitors.isEmpty()) {
                mark = monitors;
            }
            lines.add(frame + mark);
        }
        return lines;
    }

    private static Diagnosis.Lock describe(Locks.Lock lock) {
        Thread owner = lock.owner();
        return new Diagnosis.Lock(
                lock.name(),
                owner == null ? null : nameOf(owner),
                lock.queue().stream()
                        .limit(MOST_QUEUED)
                        .map(Examination::nameOf)
                        .toList());
    }

    /** The name, if it has one, and the id. */
    static String nameOf(Thread thread) {
        String name = thread.getName();
        return (name.isEmpty() ? "" : "\"" + name + "\" ") + "#" + thread.threadId();
    }
}
