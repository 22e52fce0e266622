package io.vtagent.jfr;

import io.vtagent.jvm.JdkInternal;
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
 * Publishes pins as JFR events while a recording other than the agent's runs. Until then JFR is not
 * started and no event is registered. The agent's own stream ({@link VmEvents}) must not count: JFR
 * enables in it every event that the stream does not name. If the stream named this event to
 * disable it, JFR would disable it for all recordings that do not name it.
 *
 * <p>An event is committed where the pin ends, on the pinned thread, as JDK 21 commits its own
 * {@code jdk.VirtualThreadPinned} in {@code VirtualThread.parkOnCarrierThread}. So its thread, its
 * stack and its time are right. The thread must not unmount meanwhile, because the buffer that it
 * writes to is the carrier's. JFR locks its table of strings for a moment when a text occurs first
 * in a chunk ({@code jdk.jfr.internal.StringPool.storeString}); nothing blocks while it has this
 * lock. Thread-safe.
 */
public final class PinEvents implements AutoCloseable {
    /**
     * The number of agent frames to pass if no frame is the application's, so that no stack is
     * shown.
     */
    public static final int NO_STACK = 24;

    /**
     * JFR leaves out this many frames of an event's stack. There are fewer between a hook and the
     * event, and on the agent's own threads.
     */
    private static final int LEFT_OUT = NO_STACK;

    /**
     * The classes with which JFR writes an event. A recording that records its settings has already
     * used most of them.
     */
    private static final List<JdkInternal> JFR_WRITES_WITH =
            List.of(
                    JdkInternal.EVENT_WRITER,
                    JdkInternal.EVENT_WRITER_FACTORY,
                    JdkInternal.EVENT_STRINGS,
                    JdkInternal.EVENT_BITS);

    private static final int MAX_TRIES_TO_CLOSE = 20;
    private static final long RETRY_NANOS = 100_000_000;

    private final Consumer<Boolean> whenRecorded;
    private final FlightRecorderListener recordings =
            new FlightRecorderListener() {
                // recorderInitialized is called while JFR holds a lock
                @Override
                public void recordingStateChanged(Recording recording) {
                    check();
                }
            };
    private volatile @Nullable EventTicks ticks;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean recorded;
    private volatile boolean closed;
    private volatile boolean toCheckAgain;

    /**
     * A pin.
     *
     * @param endedAtNanos on the scale of {@code System.nanoTime}
     * @param thread the pinned thread, null if it is not known
     * @param sampled whether the pin was sampled, so that the current thread is not the pinned one
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
            boolean sampled) {}

    /**
     * @param whenRecorded receives true when a recording begins and false when none runs any more,
     *     on the thread that starts or stops it. If it throws an {@code OutOfMemoryError} or {@code
     *     StackOverflowError}, it is called again
     */
    public PinEvents(Consumer<Boolean> whenRecorded) {
        this.whenRecorded = whenRecorded;
    }

    /**
     * Begins to listen for recordings.
     *
     * @throws LinkageError if this JVM has no JFR
     */
    public void open() {
        FlightRecorder.removeListener(recordings); // an earlier attempt may have added it
        FlightRecorder.addListener(recordings);
        check();
    }

    /**
     * Checks for recordings. Holds no lock: JFR calls its listeners sometimes with and sometimes
     * without the lock that it also takes to list its recordings. If another thread calls this
     * meanwhile, the first one checks once more.
     */
    private void check() {
        if (asked.getAndIncrement() > 0) {
            return;
        }
        int done;
        do {
            done = asked.get();
            checkOnce();
        } while (!asked.compareAndSet(done, 0));
    }

    private void checkOnce() {
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
            toCheckAgain = false;
        } catch (OutOfMemoryError | StackOverflowError passing) {
            toCheckAgain = true;
        } catch (Throwable failure) {
            closed = true; // logged once
            AgentLog.error("pins are not recorded as events: " + failure);
            AgentLog.debug("the cause:", failure);
        }
    }

    private static boolean othersRecord() {
        return FlightRecorder.getFlightRecorder().getRecordings().stream()
                .anyMatch(
                        recording ->
                                recording.getState() == RecordingState.RUNNING
                                        && !VmEvents.isOwnRecording(recording));
    }

    /** Registers the event and loads what a hook needs. */
    private void register() throws ReflectiveOperationException {
        FlightRecorder.register(PinEvent.class);
        leaveOutFrames();
        JFR_WRITES_WITH.forEach(PinEvents::load);
        EventTicks measured = new EventTicks();
        PinEvent unused =
                event(
                        new Pin(
                                "",
                                "",
                                "",
                                "",
                                "",
                                null,
                                false,
                                1,
                                System.nanoTime(),
                                null,
                                0,
                                false),
                        measured);
        ticks = measured;
    }

    private static void load(JdkInternal type) {
        try {
            Class<?> unused = type.initializedType();
        } catch (ClassNotFoundException otherwise) {
            AgentLog.debug("this JDK's Flight Recorder has no class " + type);
        }
    }

    /**
     * Makes JFR leave out {@link #LEFT_OUT} frames. JFR has one such number for all events of a
     * type. If JFR does not have this field, the stacks show the agent's frames.
     */
    private static void leaveOutFrames() {
        try {
            Unsafe unsafe = Unsafe.getUnsafe();
            EventType type = EventType.getEventType(PinEvent.class);
            Object internal = unsafe.getReference(type, JdkInternal.PLATFORM_EVENT_TYPE.offset());
            long offset =
                    unsafe.objectFieldOffset(
                            internal.getClass(), JdkInternal.EVENT_STACK_OFFSET.member());
            int before = unsafe.getInt(internal, offset);
            if (before < LEFT_OUT) { // otherwise an earlier registration did it
                unsafe.putInt(internal, offset, before + LEFT_OUT);
            }
        } catch (InternalError missing) {
            AgentLog.debug("the stacks of events show frames of the agent", missing);
        }
    }

    /**
     * Makes times more exact, and checks again for a recording if memory was short when it began.
     * To be called from time to time.
     */
    public void adjust() {
        if (toCheckAgain) {
            check();
        }
        EventTicks known = ticks;
        if (known != null) {
            known.adjust();
        }
    }

    /**
     * Commits an event.
     *
     * @param agentFrames the number of the agent's frames above the application's, including the
     *     caller of this method; or {@link #NO_STACK}
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
        event.sampled = pin.sampled;
        ticks.write(event, pin.endedAtNanos, pin.nanos);
        return event;
    }

    /** Unregisters everything from JFR. */
    @Override
    public void close() {
        closed = true;
        FlightRecorder.removeListener(recordings);
        check();
        for (int i = 0; i < MAX_TRIES_TO_CLOSE && toCheckAgain; i++) {
            AgentThread.pause(RETRY_NANOS);
            check();
        }
    }
}
