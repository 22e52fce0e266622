package io.vtagent.site;

import io.vtagent.jvm.JdkInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link PinnedStack} from frames that another thread has read. The JDK does not report
 * monitors there. Thread-safe.
 */
public final class SnapshotStack {
    /** The operation of a stack that blocks in native code of the application or a library. */
    private static final String NATIVE_CALL = "native code";

    /** The operation of a stack that waits inside the JVM. */
    private static final String IN_JVM = "the JVM";

    /** The operation of a stack in a class-initialization wait. */
    private static final String INITIALIZATION = "class initialization";

    /** The agent's class loader. It is not the agent's module, because another loader loads it. */
    private static final String OWN_LOADER = "io.vtagent.AgentClassLoader";

    private static final String CONTINUATION = JdkInternal.CONTINUATION_RUN.typeName();

    private SnapshotStack() {}

    /** Reads the frames of a thread that waits to enter a monitor of {@code monitorClass}. */
    public static PinnedStack entering(
            List<StackTraceElement> frames,
            FramesOfInterest wanted,
            @Nullable String monitorClass) {
        PinnedStack stack =
                read(
                        frames,
                        wanted,
                        SnapshotStack::canBlock,
                        PinnedStack.Cause.MONITOR,
                        monitorClass,
                        BlockingCall.NO_CALL);
        return alsoHeldIn(frames, stack);
    }

    /**
     * Returns {@code stack} with the native frame, class initializer or class loader that is in
     * {@code frames}, if there is one.
     */
    private static PinnedStack alsoHeldIn(List<StackTraceElement> frames, PinnedStack stack) {
        String nativeFrame =
                frames.stream()
                        .filter(frame -> blockedCauseOf(frame) != PinnedStack.Cause.NONE)
                        .findFirst()
                        .map(SnapshotStack::location)
                        .orElse(null);
        return stack.withNativeFrame(nativeFrame);
    }

    /**
     * Reads the frames of a thread that waits until another thread has initialized {@code
     * className}, which is null if it is not known.
     */
    public static PinnedStack initializing(
            List<StackTraceElement> frames, FramesOfInterest wanted, @Nullable String className) {
        return read(
                frames,
                wanted,
                SnapshotStack::canBlock,
                PinnedStack.Cause.CLASS_INIT,
                className,
                INITIALIZATION);
    }

    /** Reads the frames of a thread that blocks in native code. */
    public static PinnedStack inNativeCode(
            List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(
                frames,
                wanted,
                SnapshotStack::canBlock,
                PinnedStack.Cause.NATIVE,
                null,
                NATIVE_CALL);
    }

    /** Reads the frames of a thread that waits inside the JVM. */
    public static PinnedStack inJvm(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, SnapshotStack::canBlock, PinnedStack.Cause.NONE, null, IN_JVM);
    }

    /**
     * Reads the frames of a thread that cannot unmount because of the native frame or class
     * initializer nearest to the top.
     */
    public static PinnedStack heldByNativeFrame(
            List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(
                frames,
                wanted,
                frame -> causeOf(frame) != PinnedStack.Cause.NONE,
                nativeCauseIn(frames),
                null,
                null);
    }

    /**
     * Reads the frames of a thread that is held by the call itself, as {@link
     * MonitorStackWalker#heldByCall} does.
     */
    public static PinnedStack heldByCall(List<StackTraceElement> frames, FramesOfInterest wanted) {
        PinnedStack stack =
                read(frames, wanted, frame -> !passesOn(frame), PinnedStack.Cause.NONE, null, null);
        int caller = 0;
        while (caller < frames.size() && JdkCode.owns(frames.get(caller))) {
            caller++;
        }
        return alsoHeldIn(frames.subList(caller, frames.size()), stack);
    }

    /**
     * Reads the frames of a thread that computes. The holder is the innermost frame that is not the
     * JDK's; the innermost frame if there is none.
     */
    public static PinnedStack computing(List<StackTraceElement> frames, FramesOfInterest wanted) {
        boolean onlyJdk = frames.stream().allMatch(SnapshotStack::passesOn);
        return read(
                frames,
                wanted,
                frame -> onlyJdk || !passesOn(frame),
                PinnedStack.Cause.NONE,
                null,
                null);
    }

    /**
     * Returns the frames of a thread in {@code Object.wait} without the native frames of the wait
     * itself.
     */
    public static List<StackTraceElement> belowWait(List<StackTraceElement> frames) {
        int first = 0;
        while (first < frames.size() && frames.get(first).isNativeMethod()) {
            first++;
        }
        return frames.subList(first, frames.size());
    }

    /** Returns why a thread with these frames cannot unmount where monitors do not pin. */
    public static PinnedStack.Cause nativeCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::causeOf);
    }

    /**
     * Returns why a thread with these frames cannot unmount where monitors do not pin. Use this if
     * the thread is known to be unable to unmount: class loaders count as well.
     */
    public static PinnedStack.Cause blockedCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::blockedCauseOf);
    }

    private static PinnedStack.Cause firstCause(
            List<StackTraceElement> frames,
            Function<StackTraceElement, PinnedStack.Cause> causeOf) {
        return frames.stream()
                .map(causeOf)
                .filter(cause -> cause != PinnedStack.Cause.NONE)
                .findFirst()
                .orElse(PinnedStack.Cause.NONE);
    }

    private static boolean canBlock(StackTraceElement frame) {
        return !ReflectiveFrames.isOne(frame);
    }

    private static PinnedStack.Cause causeOf(StackTraceElement frame) {
        if (frame.getMethodName().equals("<clinit>")) {
            return PinnedStack.Cause.CLASS_INIT;
        }
        // a virtual thread's outermost frames include a native one, which JFR shows
        return frame.isNativeMethod() && !frame.getClassName().equals(CONTINUATION)
                ? PinnedStack.Cause.NATIVE
                : PinnedStack.Cause.NONE;
    }

    private static PinnedStack.Cause blockedCauseOf(StackTraceElement frame) {
        return LoaderFrames.isCall(frame) ? PinnedStack.Cause.CLASS_LOADER : causeOf(frame);
    }

    /**
     * @param operationWithoutCall the operation if no public API was called above the holder; null
     *     for the default
     */
    private static PinnedStack read(
            List<StackTraceElement> stack,
            FramesOfInterest wanted,
            Predicate<StackTraceElement> isHolder,
            PinnedStack.Cause cause,
            @Nullable String objectClass,
            @Nullable String operationWithoutCall) {
        BlockingCall call = new BlockingCall();
        List<String> kept = new ArrayList<>();
        StackTraceElement holder = null;
        int holderIndex = -1;
        boolean inJdk = true;
        Caller<StackTraceElement> caller = new Caller<>(wanted);
        for (StackTraceElement frame : stack) {
            if (isProbe(frame.getClassName())) {
                continue;
            }
            boolean passesOn = passesOn(frame);
            inJdk &= passesOn;
            Class<?> type = inJdk ? JdkCode.find(frame.getClassName()) : null;
            if (type != null && frame.isNativeMethod()) {
                call.enclosedByNative(type, frame.getMethodName());
            } else if (type != null) {
                call.enclosedBy(type, frame.getMethodName());
            }
            if (holder == null && isHolder.test(frame)) {
                holder = frame;
                holderIndex = kept.size() < wanted.kept() ? kept.size() : -1;
            }
            if (holder != null) {
                caller.enclosedBy(frame, frame.getClassName(), passesOn);
            }
            if (kept.size() < wanted.kept()) {
                kept.add(frame.toString());
            }
        }
        boolean heldByJdk = holder != null && JdkCode.owns(holder);
        StackTraceElement line = caller.frame();
        return new PinnedStack(
                kept,
                holderIndex,
                holder == null ? "?.?:?" : location(holder),
                cause,
                objectClass,
                operation(call, heldByJdk, operationWithoutCall),
                line == null || line == holder ? null : location(line),
                null,
                Map.of());
    }

    private static boolean passesOn(StackTraceElement frame) {
        return JdkCode.owns(frame) || ReflectiveFrames.isOne(frame);
    }

    private static String operation(
            BlockingCall call, boolean heldByJdk, @Nullable String withoutCall) {
        boolean called = heldByJdk && !call.operation().equals(BlockingCall.NO_CALL);
        return called || withoutCall == null ? call.operation() : withoutCall;
    }

    /** Returns the frame as {@code class.method:line}, with {@code ?} for an unknown line. */
    public static String location(StackTraceElement frame) {
        int line = frame.getLineNumber();
        return frame.getClassName()
                + "."
                + frame.getMethodName()
                + ":"
                + (line > 0 ? Integer.toString(line) : "?");
    }

    /** Returns whether the agent works on a thread with these frames. */
    public static boolean isAgents(List<StackTraceElement> frames) {
        return frames.stream().anyMatch(frame -> isAgents(frame.getClassName()));
    }

    /**
     * Returns whether a frame of this class shows that the agent works on the application's thread.
     * It is the probe's frame if a sensor has noticed a pin and reads the stack, and that of the
     * agent's class loader if a class of the agent is loaded.
     */
    public static boolean isAgents(String className) {
        return isProbe(className) || isOwnLoader(className);
    }

    static boolean isOwnLoader(String className) {
        return className.equals(OWN_LOADER);
    }

    public static boolean isProbe(String className) {
        return className.startsWith("java.lang.VtAgent");
    }
}
