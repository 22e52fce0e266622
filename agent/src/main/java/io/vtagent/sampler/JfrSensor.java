package io.vtagent.sampler;

import io.vtagent.jfr.VmEvents;
import io.vtagent.jfr.VmPin;
import io.vtagent.ledger.Sensors;
import io.vtagent.ledger.VmPinRecorder;
import io.vtagent.log.AgentLog;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Shutdown;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The sensor for JFR events. Starts JFR when it is wanted, and proves that events arrive.
 * Thread-safe.
 */
final class JfrSensor {
    /** The label of the sensor. */
    static final String LABEL = "vm";

    private static final String NO_JFR =
            "this JVM runs without the module jdk.jfr, expected it or --add-modules jdk.jfr";
    private static final long PROOF_NANOS = 20_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final String OWN_CLASS = JfrSensor.class.getName();

    private final Sensors sensors;
    private final VmPinRecorder pins;
    private final JfrReconciler reconciler;
    private final FramesOfInterest wanted;
    private final long proofNanos;
    private final CountDownLatch proved = new CountDownLatch(1);
    private volatile @Nullable VmEvents events;
    private final JfrStartPolicy need;
    private volatile State state;
    private volatile boolean ending;
    private boolean over;

    /** The state of the events. */
    enum State {
        /** There has been no need for events yet. */
        IDLE,
        STARTING,
        UP,
        DOWN
    }

    /**
     * @param whenNeeded true if {@link #need} starts the events; false if {@link #start} does, and
     *     they are expected from now on
     */
    JfrSensor(
            Sensors sensors,
            VmPinRecorder pins,
            JfrReconciler reconciler,
            FramesOfInterest wanted,
            boolean whenNeeded) {
        this(sensors, pins, reconciler, wanted, whenNeeded, PROOF_NANOS);
    }

    /**
     * @param proofNanos the longest time that the proof may take
     */
    JfrSensor(
            Sensors sensors,
            VmPinRecorder pins,
            JfrReconciler reconciler,
            FramesOfInterest wanted,
            boolean whenNeeded,
            long proofNanos) {
        this.proofNanos = proofNanos;
        this.sensors = sensors;
        this.pins = pins;
        this.reconciler = reconciler;
        this.wanted = wanted;
        need = new JfrStartPolicy(pins::isWrapped, this::startOnThread);
        state = whenNeeded ? State.IDLE : State.STARTING;
        if (!whenNeeded) {
            sensors.put(LABEL, Sensors.NOT_BEGUN_YET);
        }
    }

    /**
     * Returns the policy that has to be notified of samples if the events are started when needed.
     */
    JfrStartPolicy need() {
        return need;
    }

    private void startOnThread() {
        if (!Shutdown.hasBegun()) {
            state = State.STARTING;
            try {
                sensors.put(LABEL, Sensors.NOT_BEGUN_YET);
                AgentThread.start("vt-agent-vm-events", this::start);
            } catch (Throwable noThread) { // the next sample tries again
                state = State.IDLE;
                throw noThread;
            }
        }
    }

    /** Starts the events, which takes a second. Any failure is logged as one line. Called once. */
    void start() {
        String failure;
        try {
            VmEvents started = new VmEvents(wanted, this::accept, this::over, this::ended);
            events = started;
            if (ending) { // the agent was detached meanwhile
                started.close();
            }
            failure =
                    started.awaitFlow(proofNanos) && prove()
                            ? ""
                            : "no event of a contended monitor arrived within "
                                    + proofNanos / NANOS_PER_SECOND
                                    + " s";
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
            closeUnlessEnding();
        }
    }

    /**
     * Closes the stream, so that events without a receiver cost nothing. When the JVM ends, JFR
     * closes the stream itself, which loses no events.
     */
    private void closeUnlessEnding() {
        VmEvents running = events;
        if (running != null && !ending && !Shutdown.hasBegun()) {
            running.close();
        }
    }

    private synchronized void up() {
        if (!over) {
            state = State.UP;
            sensors.put(LABEL, "");
        }
    }

    private synchronized void down(String why) {
        if (over || state == State.DOWN || ending || Shutdown.hasBegun()) {
            return;
        }
        state = State.DOWN;
        sensors.put(LABEL, why);
        reconciler.settleAll();
        AgentLog.error("sensor " + LABEL + " is down: " + why);
    }

    /**
     * Called when no more events arrive, because the JVM shuts down or all recordings were stopped.
     */
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

    /** Returns whether events arrive or are about to. */
    boolean mayArrive() {
        State now = state;
        return now == State.STARTING || now == State.UP;
    }

    /** Waits until all events of a JVM that shuts down have been counted. */
    void awaitShutdown() {
        ending = true;
        VmEvents running = events;
        if (running != null) {
            running.awaitShutdown();
        }
        reconciler.settleAll();
    }

    /** Stops the events in a JVM that continues to run. */
    void end() {
        ending = true;
        VmEvents running = events;
        if (running != null) {
            running.close();
        }
        reconciler.settleAll();
    }

    private void accept(VmPin pin) {
        if (isProof(pin)) {
            AgentThread.countDown(proved);
        } else if (state != State.DOWN
                && !pins.isLeftToItsClass(pin)) { // the sampler counts what the class missed
            VmPin claimed = reconciler.claim(pin);
            if (claimed != null) {
                pins.accept(claimed);
            }
        }
    }

    private static boolean isProof(VmPin pin) {
        return pin.innermostClass().equals("java.lang.StringBuffer")
                && pin.stack().get().frames().stream().anyMatch(frame -> frame.contains(OWN_CLASS));
    }

    /**
     * Proves that events arrive. A throw-away virtual thread on the agent's own scheduler waits for
     * a monitor of the JDK's while it cannot unmount.
     */
    @SuppressWarnings("JdkObsolete") // its monitor is needed
    private boolean prove() {
        StringBuffer contended = new StringBuffer();
        try (OwnScheduler scheduler = new OwnScheduler()) {
            Runnable entering =
                    () -> {
                        VirtualThreads.pin();
                        try {
                            contended.append('.');
                        } finally {
                            VirtualThreads.unpin();
                        }
                    };
            scheduler.contend(contended, entering, () -> {});
        }
        return AgentThread.await(proved, proofNanos);
    }
}
