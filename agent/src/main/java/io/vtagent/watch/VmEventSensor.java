package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.record.VmPins;
import io.vtagent.vm.VirtualThreads;
import io.vtagent.vm.VmEvents;
import io.vtagent.vm.VmHold;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's events as a sensor: starts them when the first virtual thread has run, and proves that they come. Thread-safe.
 */
final class VmEventSensor {
    /** The label of the sensor. */
    static final String LABEL = "vm";

    private static final String NOT_YET = "waits for the first virtual thread";
    private static final long PROOF_SECONDS = 20;
    /** After so long without a free carrier, events that flow are proof enough. */
    private static final long LONGEST_BUSY_NANOS = 10_000_000_000L;

    private static final long BUSY_POLL_NANOS = 100_000_000;
    private static final long POLL_NANOS = 5_000_000;
    private static final long HOLD_NANOS = 2_000_000;
    private static final String OWN_CLASS = VmEventSensor.class.getName();

    private final Sensors sensors;
    private final VmPins pins;
    private final Undecided undecided;
    private final int stackDepth;
    private final BooleanSupplier hasFreeCarrier;
    private final CountDownLatch proved = new CountDownLatch(1);
    private volatile @Nullable VmEvents events;
    private volatile State state = State.STARTING;
    private volatile boolean ending;

    /** Whether events come. */
    enum State {
        STARTING,
        UP,
        DOWN
    }

    /** @param hasFreeCarrier whether a virtual thread that starts now would run at once */
    VmEventSensor(Sensors sensors, VmPins pins, Undecided undecided, int stackDepth, BooleanSupplier hasFreeCarrier) {
        this.hasFreeCarrier = hasFreeCarrier;
        this.sensors = sensors;
        this.pins = pins;
        this.undecided = undecided;
        this.stackDepth = stackDepth;
        sensors.put(LABEL, NOT_YET);
    }

    /** Starts the events. Takes a second; whatever goes wrong is one line. Called once. */
    void start() {
        String failure;
        try {
            VmEvents started = new VmEvents(stackDepth, this::accept);
            events = started;
            failure = started.awaitFlow(PROOF_SECONDS) && (!awaitFreeCarrier() || prove())
                    ? ""
                    : "a contended monitor was not told within " + PROOF_SECONDS + " s";
        } catch (IOException | LinkageError | RuntimeException cannot) {
            failure = cannot.getMessage() == null ? cannot.toString() : cannot.getMessage();
            AgentLog.debug("the cause:", cannot);
        }
        state = failure.isEmpty() ? State.UP : State.DOWN;
        sensors.put(LABEL, failure);
        if (!failure.isEmpty() && !ending) {
            close();
            AgentLog.error("sensor " + LABEL + " is down: " + failure);
        }
    }

    State state() {
        return state;
    }

    /** Waits until all events of a JVM that shuts down have been counted. */
    void awaitShutdown() {
        ending = true;
        VmEvents running = events;
        if (running != null) {
            running.awaitShutdown();
        }
        undecided.settleAll();
    }

    private void close() {
        VmEvents running = events;
        events = null;
        if (running != null) {
            running.close();
        }
        undecided.settleAll();
    }

    private void accept(VmHold hold) {
        if (isProof(hold)) {
            proved.countDown();
            return;
        }
        undecided.drop(hold);
        pins.accept(hold);
    }

    private static boolean isProof(VmHold hold) {
        return hold.innermostClass().equals("java.lang.StringBuffer")
                && hold.stack().get().frames().stream().anyMatch(frame -> frame.contains(OWN_CLASS));
    }

    /** Waits for a moment in which a virtual thread of the agent's would not stand in line with the application's. */
    private boolean awaitFreeCarrier() {
        for (long waitedNanos = 0; waitedNanos < LONGEST_BUSY_NANOS; waitedNanos += BUSY_POLL_NANOS) {
            if (hasFreeCarrier.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(BUSY_POLL_NANOS);
        }
        return false;
    }

    /** A throw-away virtual thread waits for a monitor of the JDK's while it cannot unmount. */
    @SuppressWarnings("JdkObsolete") // its monitor is the point
    private boolean prove() {
        StringBuffer contended = new StringBuffer();
        Thread thread;
        synchronized (contended) {
            thread = Thread.ofVirtual().name(VirtualThreads.SELF_TEST).start(() -> {
                VirtualThreads.pin();
                try {
                    contended.append('.');
                } finally {
                    VirtualThreads.unpin();
                }
            });
            while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            LockSupport.parkNanos(HOLD_NANOS);
        }
        try {
            thread.join();
            return proved.await(PROOF_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
