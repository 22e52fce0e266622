package io.vtagent.vm;

import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import jdk.internal.misc.Unsafe;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Pins as events of JFR, while somebody but the agent itself records. Until then JFR is not started, and no event of its is registered;
 * the agent's own stream ({@link VmEvents}) must not count, since JFR has every event on in it that is not named, and if it were named
 * there, JFR would have it off for those who do not name it.
 *
 * <p>An event is committed where the pin ends, on the thread that was pinned, as JDK 21 commits its own {@code jdk.VirtualThreadPinned} in
 * {@code VirtualThread.parkOnCarrierThread}: so its thread, its stack and its time are right. What it takes: the thread must not
 * unmount meanwhile, since the buffer that it writes to is the carrier's; JFR locks its table of strings for a moment when a chunk has its
 * first string of a text ({@code jdk.jfr.internal.StringPool.storeString}), inside which nothing blocks. Thread-safe.
 */
public final class PinEvents implements AutoCloseable {
    /** That no frame is the application's, and none is to be shown. */
    public static final int NO_STACK = 24;

    /** So many frames are left out of the stack of an event: more than there are between a hook and the event, or on the agent's own threads. */
    private static final int LEFT_OUT = NO_STACK;

    /** It has used most of them already, if it records its settings. */
    private static final List<String> JFR_WRITES_WITH = List.of(
            "jdk.jfr.internal.event.EventWriter",
            "jdk.jfr.internal.event.EventWriterFactory",
            "jdk.jfr.internal.StringPool",
            "jdk.jfr.internal.Bits");

    private static final int MOST_TRIES_TO_CLOSE = 20;
    private static final long RETRY_NANOS = 100_000_000;

    private final Consumer<Boolean> whenRecorded;
    private final FlightRecorderListener recordings = new FlightRecorderListener() {
        // recorderInitialized holds a lock of JFR's
        @Override
        public void recordingStateChanged(Recording recording) {
            look();
        }
    };
    private volatile @Nullable EventTicks ticks;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean recorded;
    private volatile boolean closed;
    private volatile boolean toLookAgain;

    /**
     * A pin.
     *
     * @param endedAtNanos on the scale of {@code System.nanoTime}
     * @param thread the pinned one, null if it is not known
     * @param seenFromOutside whether the current thread is not it
     */
    public record Pin(
            String site,
            String caller,
            String operation,
            String kind,
            String reason,
            @Nullable String monitorClass,
            boolean compensated,
            long nanos,
            long endedAtNanos,
            @Nullable Thread thread,
            long threadId,
            boolean seenFromOutside) {}

    /**
     * @param whenRecorded is told whether somebody records, when that begins and ends, on the thread of whoever does. After an {@code
     *     OutOfMemoryError} or {@code StackOverflowError} of its it is told again
     */
    public PinEvents(Consumer<Boolean> whenRecorded) {
        this.whenRecorded = whenRecorded;
    }

    /**
     * From now on somebody who begins to record is noticed.
     *
     * @throws LinkageError if this JVM has no JFR
     */
    public void open() {
        FlightRecorder.removeListener(recordings); // a try before this one may have added it
        FlightRecorder.addListener(recordings);
        look();
    }

    /**
     * Holds no lock: JFR calls its listeners now with and now without the lock that it also takes to be asked for its recordings. Who comes
     * while another is at it has that one look once more.
     */
    private void look() {
        if (asked.getAndIncrement() > 0) {
            return;
        }
        int done;
        do {
            done = asked.get();
            lookOnce();
        } while (!asked.compareAndSet(done, 0));
    }

    private void lookOnce() {
        try {
            boolean now = !closed && FlightRecorder.isInitialized() && othersRecord();
            if (now && ticks == null) {
                register();
            }
            if (now != recorded) {
                whenRecorded.accept(now);
                recorded = now;
            }
            if (closed && ticks != null) {
                ticks = null;
                FlightRecorder.unregister(PinEvent.class);
            }
            toLookAgain = false;
        } catch (OutOfMemoryError | StackOverflowError passing) {
            toLookAgain = true;
        } catch (Throwable failure) {
            closed = true; // said once
            AgentLog.error("pins are not recorded as events: " + failure);
            AgentLog.debug("the cause:", failure);
        }
    }

    private static boolean othersRecord() {
        return FlightRecorder.getFlightRecorder().getRecordings().stream()
                .anyMatch(recording ->
                        recording.getState() == RecordingState.RUNNING && !VmEvents.isOwnRecording(recording));
    }

    /** Loads what a hook needs, too. */
    private void register() throws ReflectiveOperationException {
        FlightRecorder.register(PinEvent.class);
        leaveOutFrames();
        JFR_WRITES_WITH.forEach(PinEvents::load);
        EventTicks measured = new EventTicks();
        PinEvent unused =
                event(new Pin("", "", "", "", "", null, false, 1, System.nanoTime(), null, 0, false), measured);
        ticks = measured;
    }

    private static void load(String className) {
        try {
            Class.forName(className);
        } catch (ClassNotFoundException otherwise) {
            AgentLog.debug("this JDK's Flight Recorder has no class " + className);
        }
    }

    /** JFR leaves out a number of frames, the same for all events of a type; without its field the agent's are shown. */
    private static void leaveOutFrames() {
        try {
            Unsafe unsafe = Unsafe.getUnsafe();
            EventType type = EventType.getEventType(PinEvent.class);
            Object internal = unsafe.getReference(type, unsafe.objectFieldOffset(EventType.class, "platformEventType"));
            long offset = unsafe.objectFieldOffset(internal.getClass(), "stackTraceOffset");
            int before = unsafe.getInt(internal, offset);
            if (before < LEFT_OUT) { // or it was registered before
                unsafe.putInt(internal, offset, before + LEFT_OUT);
            }
        } catch (InternalError missing) {
            AgentLog.debug("the stacks of events show frames of the agent", missing);
        }
    }

    /** Once in a while, so that times become more exact, and that a recording is noticed for which there was no memory when it began. */
    public void adjust() {
        if (toLookAgain) {
            look();
        }
        EventTicks known = ticks;
        if (known != null) {
            known.adjust();
        }
    }

    /**
     * Commits an event.
     *
     * @param agentFrames frames of the agent's above the application's, with that of the method that calls this; or {@link #NO_STACK}
     */
    public void commit(Pin pin, int agentFrames) {
        EventTicks known = ticks;
        if (known != null) {
            PinEvent event = event(pin, known);
            if (event.isEnabled()) {
                commit(event, LEFT_OUT - agentFrames - 2);
            }
        }
    }

    private static void commit(PinEvent event, int moreFrames) {
        if (moreFrames > 0) {
            commit(event, moreFrames - 1);
        } else {
            event.commit();
        }
    }

    private static PinEvent event(Pin pin, EventTicks ticks) {
        PinEvent event = new PinEvent();
        event.site = pin.site;
        event.caller = pin.caller;
        event.operation = pin.operation;
        event.kind = pin.kind;
        event.reason = pin.reason;
        event.monitorClass = pin.monitorClass;
        event.compensated = pin.compensated;
        event.virtualThread = pin.thread;
        event.virtualThreadId = pin.threadId;
        event.seenFromOutside = pin.seenFromOutside;
        ticks.write(event, pin.endedAtNanos, pin.nanos);
        return event;
    }

    /** Leaves nothing behind in JFR. */
    @Override
    public void close() {
        closed = true;
        FlightRecorder.removeListener(recordings);
        look();
        for (int i = 0; i < MOST_TRIES_TO_CLOSE && toLookAgain; i++) {
            AgentThread.pause(RETRY_NANOS);
            look();
        }
    }
}
