package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.record.VmPinRecorder;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Shutdown;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.OwnScheduler;
import io.vtagent.vm.VirtualThreads;
import io.vtagent.vm.VmEvents;
import io.vtagent.vm.VmPin;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's events as a sensor: starts them when they are wanted, and proves that they come. Thread-safe.
 */
final class VmEventSensor {
    /** The label of the sensor. */
    static final String LABEL = "vm";

    private static final String NO_JFR =
            "this JVM runs without the module jdk.jfr, expected it or --add-modules jdk.jfr";
    private static final String NOT_YET = "has not begun";
    private static final int PROOF_SECONDS = 20;
    private static final long PROOF_NANOS = PROOF_SECONDS * 1_000_000_000L;
    private static final String OWN_CLASS = VmEventSensor.class.getName();

    private final Sensors sensors;
    private final VmPinRecorder pins;
    private final UnconfirmedPins unconfirmed;
    private final FramesOfInterest wanted;
    private final CountDownLatch proved = new CountDownLatch(1);
    private volatile @Nullable VmEvents events;
    private final EventNeed need;
    private volatile State state;
    private volatile boolean ending;
    private boolean over;

    /** Whether events come. */
    enum State {
        /** There was no need for them yet. */
        IDLE,
        STARTING,
        UP,
        DOWN
    }

    /** @param whenNeeded whether they are started by {@link #need}; or else by {@link #start}, and awaited from now on */
    VmEventSensor(
            Sensors sensors,
            VmPinRecorder pins,
            UnconfirmedPins unconfirmed,
            FramesOfInterest wanted,
            boolean whenNeeded) {
        this.sensors = sensors;
        this.pins = pins;
        this.unconfirmed = unconfirmed;
        this.wanted = wanted;
        need = new EventNeed(pins::isWrapped, this::startOnThread);
        state = whenNeeded ? State.IDLE : State.STARTING;
        if (!whenNeeded) {
            sensors.put(LABEL, NOT_YET);
        }
    }

    /** Is to be told of what the looks see, if the events are started when they are needed. */
    EventNeed need() {
        return need;
    }

    private void startOnThread() {
        if (!Shutdown.hasBegun()) {
            state = State.STARTING;
            try {
                sensors.put(LABEL, NOT_YET);
                AgentThread.start("vt-agent-vm-events", this::start);
            } catch (Throwable noThread) { // the next look tries again
                state = State.IDLE;
                throw noThread;
            }
        }
    }

    /** Starts the events. Takes a second; whatever goes wrong is one line. Called once. */
    void start() {
        String failure;
        try {
            VmEvents started = new VmEvents(wanted, this::accept, this::over, this::ended);
            events = started;
            if (ending) { // the agent was detached meanwhile
                started.close();
            }
            failure = started.awaitFlow(PROOF_NANOS) && prove()
                    ? ""
                    : "a contended monitor was not told within " + PROOF_SECONDS + " s";
        } catch (NoClassDefFoundError missing) {
            failure = NO_JFR;
            AgentLog.debug("the cause:", missing);
        } catch (Throwable cannot) {
            failure = cannot.getMessage() == null ? cannot.toString() : cannot.getMessage();
            AgentLog.debug("the cause:", cannot);
        }
        if (failure.isEmpty()) {
            up();
        } else {
            down(failure);
        }
    }

    private synchronized void up() {
        if (!over) {
            state = State.UP;
            sensors.put(LABEL, "");
        }
    }

    private synchronized void down(String why) {
        if (over || ending || Shutdown.hasBegun()) {
            return;
        }
        state = State.DOWN;
        sensors.put(LABEL, why);
        unconfirmed.settleAll();
        AgentLog.error("sensor " + LABEL + " is down: " + why);
    }

    /** The JVM's events do not come any more, since the JVM shuts down or somebody has stopped all recordings. */
    private void ended() {
        over("the recording of the JVM's events was stopped");
    }

    private synchronized void over(String why) {
        down(why);
        over = true;
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
        unconfirmed.settleAll();
    }

    /** Stops the events in a JVM that goes on. */
    void end() {
        ending = true;
        VmEvents running = events;
        if (running != null) {
            running.close();
        }
        unconfirmed.settleAll();
    }

    private void accept(VmPin pin) {
        if (isProof(pin)) {
            AgentThread.countDown(proved);
            if (state == State.DOWN) { // it was only late
                up();
            }
        } else if (state != State.DOWN && !pins.isLeftToItsClass(pin)) { // what the class has not told the looks count
            VmPin claimed = unconfirmed.claim(pin);
            if (claimed != null) {
                pins.accept(claimed);
            }
        }
    }

    private static boolean isProof(VmPin pin) {
        return pin.innermostClass().equals("java.lang.StringBuffer")
                && pin.stack().get().frames().stream().anyMatch(frame -> frame.contains(OWN_CLASS));
    }

    /** A throw-away virtual thread, on the agent's own scheduler, waits for a monitor of the JDK's while it cannot unmount. */
    @SuppressWarnings("JdkObsolete") // its monitor is the point
    private boolean prove() {
        StringBuffer contended = new StringBuffer();
        try (OwnScheduler scheduler = new OwnScheduler()) {
            Runnable entering = () -> {
                VirtualThreads.pin();
                try {
                    contended.append('.');
                } finally {
                    VirtualThreads.unpin();
                }
            };
            scheduler.contend(contended, entering, () -> {});
        }
        return AgentThread.await(proved, PROOF_NANOS);
    }
}
