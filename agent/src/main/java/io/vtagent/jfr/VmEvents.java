package io.vtagent.jfr;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.SnapshotStack;
import io.vtagent.thread.AgentThread;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.internal.vm.Continuation;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Streams the JVM's JFR events of threads that hold their carriers for a millisecond or more. They
 * arrive up to a second late.
 *
 * <ul>
 *   <li>On JDK 24 and later {@code jdk.VirtualThreadPinned} reports everything: what blocked
 *       ({@code blockingOperation}) and why ({@code pinnedReason}; javaThread.cpp,
 *       post_vthread_pinned_event).
 *   <li>Before JDK 24 {@code jdk.JavaMonitorEnter} reports contended monitors, and {@code
 *       jdk.JavaMonitorWait} reports waits for a class initializer: its monitor is then an {@code
 *       int[]}, the class's init lock (instanceKlass.cpp).
 * </ul>
 *
 * <p>One thread, a platform thread, calls the receiver.
 */
public final class VmEvents implements AutoCloseable {
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String ENTER = "jdk.JavaMonitorEnter";
    private static final String WAIT = "jdk.JavaMonitorWait";
    private static final String INIT_LOCK = "int[]";
    private static final String WAITED_FOR = "Waited for initialization of ";
    private static final String BY_ANOTHER = " by another thread";

    /**
     * The threshold of the events; shorter pins are left to the sampler. Without it a million short
     * pins would be a million events, each with a thread name, in memory and in the application's
     * own recordings, because JFR gives every recording the events that any recording asks for.
     */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration MAX_END = Duration.ofSeconds(3);

    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private static final boolean MONITORS_CAN_PIN =
            Stream.of(Continuation.Pinned.values())
                    .anyMatch(reason -> reason.name().equals("MONITOR"));

    private static volatile @Nullable Recording ownRecording;

    private final CountDownLatch flowing = new CountDownLatch(1);
    private final RecordingStream stream;
    private final FramesOfInterest wanted;
    private final JfrRepository repository;
    private final EventClock clock = new EventClock();
    private final Consumer<VmPin> receiver;
    private final Consumer<String> noRoom;

    /** Used only by the streaming thread. */
    private boolean outOfRoom;

    /**
     * Starts the stream. This takes most of a second of CPU time, so never call it on the thread
     * that runs {@code premain}.
     *
     * @param wanted the part of the stacks that is kept
     * @param noRoom receives the reason when the events end because JFR runs out of disk space
     * @param ended runs when the events end because the recording was stopped or the JVM shuts down
     * @throws IOException if JFR cannot run in this JVM; the message contains the reason
     */
    public VmEvents(
            FramesOfInterest wanted,
            Consumer<VmPin> receiver,
            Consumer<String> noRoom,
            Runnable ended)
            throws IOException {
        this.wanted = wanted;
        this.receiver = receiver;
        this.noRoom = noRoom;
        String missing = JfrDiskSpace.ofThisJvm().missingToBegin();
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        RecordingStream made = null;
        JfrRepository listening = null;
        boolean streams = false;
        try {
            JfrStart.begin();
            boolean reportsOperation = reportsOperation();
            boolean othersRecord = JfrRepository.exists();
            stream = new RecordingStream();
            made = stream;
            stream.setReuse(true);
            stream.setOrdered(false);
            repository = new JfrRepository(nameRecording(), othersRecord);
            FlightRecorder.addListener(repository);
            listening = repository;
            stream.setMaxAge(KEPT);
            if (reportsOperation) {
                listen(PINNED, this::pinned);
            } else {
                listen(ENTER, this::entered);
                listen(WAIT, this::waited);
            }
            stream.onFlush(this::flushed);
            stream.onClose(ended);
            stream.onError(
                    failure ->
                            AgentLog.debug(
                                    "an event was not processed",
                                    failure)); // otherwise JFR prints it
            // startAsync would leave a thread that keeps the JVM alive
            AgentThread.start("vt-agent-vm-stream", this::stream);
            streams = true;
        } catch (RuntimeException failed) {
            throw new IOException("JFR does not start: " + failed, failed);
        } finally {
            if (!streams && listening != null) { // otherwise it would outlive a detached agent
                FlightRecorder.removeListener(listening);
            }
            if (!streams && made != null) { // otherwise it would go on recording
                made.close();
            }
        }
    }

    private void stream() {
        try {
            stream.start();
        } catch (IllegalStateException closed) { // by a JVM that ends before it began
            AgentLog.debug("the stream of the JVM's events was closed before it began", closed);
        }
    }

    /** Runs every second, on the streaming thread. */
    private void flushed() {
        if (flowing.getCount() > 0) {
            AgentThread.countDown(flowing);
            repository.tidy();
        }
        String missing = outOfRoom ? "" : JfrDiskSpace.ofThisJvm().missing();
        if (!missing.isEmpty()) {
            noRoom.accept(missing);
            AgentThread.start("vt-agent-vm-events", this::close); // otherwise at the next flush
            outOfRoom = true;
        }
    }

    /**
     * Waits until the stream delivers the events of everything that happens afterwards, which takes
     * about a second.
     *
     * @return false if that takes longer than {@code mostNanos}
     */
    public boolean awaitFlow(long mostNanos) {
        return AgentThread.await(flowing, mostNanos);
    }

    /**
     * Names the stream's recording "vt-agent" instead of "Recording Stream". A stream does not
     * expose its recording, so it is found by a maximum age that no other recording has.
     *
     * @return the recording, always the same object
     */
    private Recording nameRecording() {
        Duration own = KEPT.plusNanos(1 + ThreadLocalRandom.current().nextInt(NANOS_PER_SECOND));
        stream.setMaxAge(own);
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (own.equals(recording.getMaxAge())) {
                recording.setName("vt-agent");
                ownRecording = recording;
                return recording;
            }
        }
        throw new IllegalStateException("the stream has no recording");
    }

    /** Returns whether {@code recording} belongs to the agent's stream. */
    static boolean isOwnRecording(Recording recording) {
        return recording == ownRecording;
    }

    private void listen(String event, Consumer<RecordedEvent> action) {
        stream.enable(event).withThreshold(SHORTEST).withStackTrace();
        stream.onEvent(event, action);
    }

    /**
     * Returns whether {@code jdk.VirtualThreadPinned} comes from the JVM and covers all blocking
     * operations, as on JDK 24 and later.
     */
    private static boolean reportsOperation() {
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (type.getName().equals(PINNED)) {
                return type.getField("blockingOperation") != null;
            }
        }
        return false;
    }

    private void pinned(RecordedEvent event) {
        String operation = event.getString("blockingOperation");
        String reason = event.getString("pinnedReason");
        if (operation == null || reason == null) {
            return;
        }
        if (reason.startsWith(WAITED_FOR)) {
            int end = reason.lastIndexOf(BY_ANOTHER);
            String initialized =
                    reason.substring(WAITED_FOR.length(), end < 0 ? reason.length() : end);
            report(event, VmPin.Blocked.CLASS_INIT, "CLASS_INIT", initialized);
        } else if (operation.equals("Contended monitor enter")) {
            report(event, VmPin.Blocked.ENTER, pinnedBy(reason), null);
        } else if (operation.equals("Object.wait")) {
            report(event, VmPin.Blocked.WAIT, pinnedBy(reason), null);
        }
    }

    /**
     * Returns the name of the {@code Continuation.Pinned} constant for a freeze result
     * (continuationFreezeThaw.cpp), or {@code CLASS_INIT}; any other reason is returned unchanged.
     * A held monitor was result 4 until JDK 26, which does not have it.
     */
    private static String pinnedBy(String reason) {
        if (reason.startsWith("VM call to ")) {
            return "CLASS_INIT";
        }
        if (reason.startsWith("Native or VM frame")) {
            return "NATIVE";
        }
        if (reason.endsWith("(2)")) {
            return VmPin.CRITICAL_SECTION;
        }
        return MONITORS_CAN_PIN && reason.endsWith("(4)") ? "MONITOR" : reason;
    }

    private void entered(RecordedEvent event) {
        RecordedClass monitor = event.getClass("monitorClass");
        if (monitor != null
                && isInitLock(
                        monitor.getName())) { // another thread links the class and holds its lock
            report(event, VmPin.Blocked.CLASS_INIT, "CLASS_INIT", null);
        } else {
            report(
                    event,
                    VmPin.Blocked.ENTER,
                    "MONITOR",
                    monitor == null ? null : monitor.getName());
        }
    }

    private void waited(RecordedEvent event) {
        RecordedClass monitor = event.getClass("monitorClass");
        RecordedStackTrace stack = event.getStackTrace();
        if (monitor == null || stack == null || !isInitLock(monitor.getName())) {
            return;
        }
        RecordedMethod innermost = stack.getFrames().getFirst().getMethod();
        boolean waitOfApplication = innermost.getType().getName().equals("java.lang.Object");
        if (!waitOfApplication) {
            report(event, VmPin.Blocked.CLASS_INIT, "CLASS_INIT", null);
        }
    }

    private static boolean isInitLock(String monitorClass) {
        return monitorClass.equals("[I") || monitorClass.equals(INIT_LOCK);
    }

    private void report(
            RecordedEvent event,
            VmPin.Blocked blocked,
            String pinned,
            @Nullable String objectClass) {
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null
                || stack.getFrames().isEmpty()
                || !isVirtual(event.getThread(), stack)
                || isAgents(stack)) {
            return;
        }
        RecordedFrame innermost = stack.getFrames().getFirst();
        boolean entersMethod =
                Modifier.isSynchronized(innermost.getMethod().getModifiers())
                        && (innermost.getBytecodeIndex() <= 0);
        RecordedThread thread = event.getThread();
        long nanos = event.getDuration().toNanos();
        receiver.accept(
                new VmPin(
                        thread == null ? 0 : thread.getJavaThreadId(),
                        blocked,
                        pinned,
                        clock.nanoTimeOf(event.getEndTime()) - nanos,
                        nanos,
                        innermost.getMethod().getType().getName(),
                        shown(stack)
                                .findFirst()
                                .map(frame -> frame.getClassName() + '.' + frame.getMethodName())
                                .orElse(""),
                        entersMethod,
                        as -> read(stack, as, objectClass)));
    }

    /**
     * Returns whether the event's thread is virtual. On JDK 21 the event often lacks the thread if
     * it is a short-lived virtual one; its stack then ends where virtual threads begin.
     */
    private static boolean isVirtual(@Nullable RecordedThread thread, RecordedStackTrace stack) {
        if (thread != null) {
            return thread.isVirtual();
        }
        String outermost = stack.getFrames().getLast().getMethod().getType().getName();
        return stack.isTruncated()
                || outermost.equals(JdkInternal.VIRTUAL_THREAD.typeName())
                || outermost.equals(JdkInternal.CONTINUATION_RUN.typeName());
    }

    private static boolean isAgents(RecordedStackTrace stack) {
        return stack.getFrames().stream()
                .anyMatch(frame -> SnapshotStack.isAgents(frame.getMethod().getType().getName()));
    }

    private PinnedStack read(
            RecordedStackTrace stack, VmPin.Blocked blocked, @Nullable String objectClass) {
        List<StackTraceElement> frames = shown(stack).toList();
        return switch (blocked) {
            case ENTER, WAIT -> SnapshotStack.entering(frames, wanted, objectClass);
            case CLASS_INIT -> SnapshotStack.initializing(frames, wanted, objectClass);
        };
    }

    private static Stream<StackTraceElement> shown(RecordedStackTrace stack) {
        return stack.getFrames().stream()
                .filter(frame -> frame.isJavaFrame() && !frame.getMethod().isHidden())
                .map(VmEvents::toElement);
    }

    private static StackTraceElement toElement(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        RecordedClass type = method.getType();
        String module =
                type.getValue("package") instanceof RecordedObject declaring
                                && declaring.getValue("module") instanceof RecordedObject found
                        ? found.getString("name")
                        : null;
        int line = Modifier.isNative(method.getModifiers()) ? -2 : frame.getLineNumber();
        // events lack the file name, but without one the line would not be printed
        return new StackTraceElement(
                null, module, null, type.getName(), method.getName(), "", line);
    }

    /**
     * Waits until all events of a JVM that shuts down have been received, at most {@link #MAX_END}.
     * JFR's own shutdown hook stops the recording, and the stream ends after it has read the rest.
     * Stopping the recording here as well would race with that hook and lose events.
     */
    public void awaitShutdown() {
        if (flowing.getCount() > 0) {
            return; // it never began
        }
        try {
            stream.awaitTermination(MAX_END);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        FlightRecorder.removeListener(repository);
        repository.leave();
        stream.close();
    }
}
