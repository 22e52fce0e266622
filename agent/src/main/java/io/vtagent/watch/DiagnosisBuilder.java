package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.Site;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Locks;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every carrier once, to make a {@link Diagnosis}. Takes no lock of the application's, but to learn who owns a monitor a
 * throw-away thread waits for it.
 */
final class DiagnosisBuilder {
    private static final int MOST_QUEUED = 20;

    /**
     * What a verdict needs to know of one carrier.
     *
     * @param runnable whether Java takes it for running, although it is held
     */
    record Patient(
            Thread carrier,
            Thread thread,
            @Nullable ActivePin pin,
            List<StackTraceElement> frames,
            boolean runnable,
            Waits.@Nullable Wait waitsFor) {

        /** The lock that it waits for; null if it is none, or not known. */
        Locks.@Nullable Lock lock() {
            return waitsFor == null ? null : waitsFor.lock();
        }

        /** Whether it is asleep in the JVM's own code, and not in native code that Java called. */
        boolean isInJvm() {
            return runnable
                    && !frames.isEmpty()
                    && !frames.getFirst().isNativeMethod()
                    && !frames.getFirst().getClassName().startsWith("java.lang.VirtualThread");
        }

        /** The class whose initializer it waits for, if that is known. */
        @Nullable
        String awaitedClass() {
            return pin != null
                            && pin.kind() == PinKind.CLASS_INIT
                            && pin.thread() == thread
                            && pin.monitor() instanceof Class<?> awaited
                    ? awaited.getName()
                    : null;
        }

        boolean waitsAsForClass() {
            return isInJvm() || awaitedClass() != null;
        }

        boolean isInPoller() {
            return frames.stream().anyMatch(frame -> frame.getClassName().equals("sun.nio.ch.Poller"));
        }

        /** Whether a frame is on its stack that keeps any thread on its carrier. */
        boolean isAboveNativeFrameOrInitializer() {
            return frames.stream()
                    .skip(1) // which is where it blocks
                    .anyMatch(frame ->
                            frame.isNativeMethod() || frame.getMethodName().equals("<clinit>"));
        }

        /** Whether a monitor is what keeps it on its carrier, as far as is known: that of a thread that blocked before the agent came is not. */
        boolean isBehindMonitor() {
            Site site = pin == null ? null : pin.site();
            PinnedStack stack = site == null ? null : site.stack();
            return stack != null && stack.cause() == PinnedStack.Cause.MONITOR;
        }
    }

    private final CarrierPool pool;
    private final int stackDepth;
    private final Map<Thread, ActivePin> pins = new HashMap<>();

    DiagnosisBuilder(CarrierPool pool, List<ActivePin> active, int stackDepth) {
        this.pool = pool;
        this.stackDepth = stackDepth;
        active.forEach(pin -> pins.put(pin.carrier(), pin));
    }

    /**
     * @param moved how many carriers have carried something else since half of that time had passed
     * @param relieved whether somebody adds carriers
     */
    Diagnosis make(long starvedNanos, int moved, boolean relieved) {
        Waits waits = new Waits(pool);
        List<Patient> patients = new ArrayList<>();
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null) {
                patients.add(examine(carrier, thread, waits));
            }
        }
        // where something moves, what was seen one after the other may never have been at the same time
        List<Waits.Link> circle = moved > 0 ? List.of() : circle(patients, waits);
        Initializers initializers = new Initializers(moved > 0 || !circle.isEmpty() ? List.of() : patients);
        List<Waits.Link> deadlock = circle.isEmpty() ? initializers.deadlock() : circle;
        Map<String, Locks.Lock> locks = new LinkedHashMap<>();
        patients.forEach(patient -> {
            Locks.Lock lock = patient.lock();
            if (lock != null) {
                locks.put(lock.name(), lock);
            }
        });
        long queued = pool.queued();
        List<Thread> waiting = pool.queuedThreads(MOST_QUEUED);
        String verdict = circle.isEmpty()
                ? new Verdict(patients, waiting, queued, moved, initializers.sentence()).sentence()
                : Verdict.ofCircle(circle, behind(patients, waits), patients.size());
        return new Diagnosis(
                verdict,
                moved > 0,
                moved > 0 || relieved ? null : remedy(!deadlock.isEmpty()),
                deadlock.stream()
                        .map(link -> new Diagnosis.Link(link.thread().label(), link.has(), link.waitsFor()))
                        .toList(),
                starvedNanos,
                patients.size(),
                queued,
                waiting.stream().map(thread -> Who.of(thread).label()).toList(),
                patients.stream().map(this::describe).toList(),
                locks.values().stream().map(DiagnosisBuilder::describe).toList());
    }

    /** What the option would do, since work is queued, and all it needs is a carrier. */
    private String remedy(boolean deadlock) {
        return "relief=stuck would add carriers"
                + (deadlock
                        ? " for what is queued, and leave the deadlock as it is"
                        : ", one at a time, until something moves")
                + (pool.size() < pool.max()
                        ? ""
                        : ", if there were room: raise " + CarrierPool.MAX_POOL_SIZE + ", which is " + pool.max());
    }

    /** Threads that wait for each other and that carriers are held for. What is the same when it is asked again has not changed meanwhile. */
    private List<Waits.Link> circle(List<Patient> patients, Waits waits) {
        for (Patient patient : patients) {
            List<Waits.Link> circle = waits.circleFrom(patient.thread);
            if (!circle.isEmpty()) {
                Waits again = new Waits(pool);
                for (Patient each : patients) {
                    boolean blocked = each.carrier.getState() == Thread.State.BLOCKED;
                    again.of(each.thread, blocked ? monitor(each.carrier, each.thread) : null);
                }
                return circle.equals(again.circleFrom(patient.thread)) ? circle : List.of();
            }
        }
        return List.of();
    }

    /** How many carriers are held by threads that wait for each other, or for one that does. */
    private static long behind(List<Patient> patients, Waits waits) {
        return patients.stream()
                .filter(patient -> !waits.circleFrom(patient.thread).isEmpty())
                .count();
    }

    private Patient examine(Thread carrier, Thread thread, Waits waits) {
        return new Patient(
                carrier,
                thread,
                pins.get(carrier),
                List.of(thread.getStackTrace()),
                carrier.getState() == Thread.State.RUNNABLE,
                waits.of(thread, monitor(carrier, thread)));
    }

    /** What {@code thread} waits to enter, as far as that is known. */
    private @Nullable Object monitor(Thread carrier, Thread thread) {
        ActivePin pin = pins.get(carrier);
        return pin != null && pin.kind() == PinKind.ENTER && pin.thread() == thread ? pin.monitor() : null;
    }

    private Diagnosis.Held describe(Patient patient) {
        ActivePin pin = patient.pin;
        String state = pin == null
                ? patient.carrier.getState().toString().toLowerCase(Locale.ROOT)
                : pin.kind().label() + " for " + pin.ageNanos() / 1_000_000 + " ms";
        Waits.Wait wait = patient.waitsFor;
        Who owner = wait == null ? null : wait.owner();
        return new Diagnosis.Held(
                patient.carrier.getName(),
                Who.of(patient.thread).label(),
                state,
                wait == null ? null : wait.name(),
                owner == null ? null : owner.label(),
                frames(patient));
    }

    private List<String> frames(Patient patient) {
        Site site = patient.pin == null ? null : patient.pin.site();
        PinnedStack stack = site == null ? null : site.stack();
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
                owner == null ? null : Who.of(owner).label(),
                lock.queue().stream()
                        .limit(MOST_QUEUED)
                        .map(thread -> Who.of(thread).label())
                        .toList());
    }
}
