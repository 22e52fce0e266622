package io.vtagent.vm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stack of a thread that was taken from outside, where the JDK tells no monitors. Thread-safe.
 */
public final class SnapshotStack {
    /** The operation of a stack that blocks in native code of the application or of a library. */
    private static final String NATIVE_CALL = "native code";
    /** The operation of a stack that the JVM lets wait. */
    private static final String IN_JVM = "the JVM";

    /** The operation of a stack that waits for a class to be initialized. */
    private static final String INITIALIZATION = "class initialization";

    private static final String CONTINUATION = "jdk.internal.vm.Continuation";

    private SnapshotStack() {}

    /** {@code frames} as those of a thread that waits to enter a monitor of {@code monitorClass}. */
    public static PinnedStack entering(
            List<StackTraceElement> frames, FramesOfInterest wanted, @Nullable String monitorClass) {
        PinnedStack stack = read(
                frames, wanted, SnapshotStack::isAny, PinnedStack.Cause.MONITOR, monitorClass, BlockingCall.NO_CALL);
        String nativeFrame = frames.stream()
                .filter(frame -> blockedCauseOf(frame) != PinnedStack.Cause.NONE)
                .findFirst()
                .map(SnapshotStack::location)
                .orElse(null);
        return new PinnedStack(
                stack.frames(),
                stack.holderIndex(),
                stack.holder(),
                stack.cause(),
                stack.monitorClass(),
                stack.operation(),
                stack.caller(),
                nativeFrame,
                stack.monitors());
    }

    /** {@code frames} as those of a thread that waits until another has initialized {@code className}, if that is known. */
    public static PinnedStack initializing(
            List<StackTraceElement> frames, FramesOfInterest wanted, @Nullable String className) {
        return read(frames, wanted, SnapshotStack::isAny, PinnedStack.Cause.CLASS_INIT, className, INITIALIZATION);
    }

    /** {@code frames} as those of a thread that blocks in native code. */
    public static PinnedStack inNativeCode(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, SnapshotStack::isAny, PinnedStack.Cause.NATIVE, null, NATIVE_CALL);
    }

    /** {@code frames} as those of a thread that the JVM itself lets wait. */
    public static PinnedStack inJvm(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, SnapshotStack::isAny, PinnedStack.Cause.NONE, null, IN_JVM);
    }

    /** {@code frames} as those of a thread that the native frame or class initializer nearest to the top keeps from unmounting. */
    public static PinnedStack heldByNativeFrame(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(
                frames, wanted, frame -> causeOf(frame) != PinnedStack.Cause.NONE, nativeCauseIn(frames), null, null);
    }

    /** {@code frames} as those of a thread that the call itself holds, as {@link MonitorStackWalker#heldByCall} reads them. */
    public static PinnedStack heldByCall(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, frame -> !Platform.owns(frame), PinnedStack.Cause.NONE, null, null);
    }

    /** The frames of a thread that is in {@code Object.wait}, without those native ones of the wait itself. */
    public static List<StackTraceElement> belowWait(List<StackTraceElement> frames) {
        int first = 0;
        while (first < frames.size() && frames.get(first).isNativeMethod()) {
            first++;
        }
        return frames.subList(first, frames.size());
    }

    /** Why a thread with these frames cannot unmount where monitors do not pin. */
    public static PinnedStack.Cause nativeCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::causeOf);
    }

    /** Why a thread with these frames cannot unmount where monitors do not pin, if it is known that it cannot. */
    public static PinnedStack.Cause blockedCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::blockedCauseOf);
    }

    private static PinnedStack.Cause firstCause(
            List<StackTraceElement> frames, Function<StackTraceElement, PinnedStack.Cause> causeOf) {
        return frames.stream()
                .map(causeOf)
                .filter(cause -> cause != PinnedStack.Cause.NONE)
                .findFirst()
                .orElse(PinnedStack.Cause.NONE);
    }

    private static boolean isAny(StackTraceElement frame) {
        return true;
    }

    private static PinnedStack.Cause causeOf(StackTraceElement frame) {
        if (frame.getMethodName().equals("<clinit>")) {
            return PinnedStack.Cause.CLASS_INIT;
        }
        // where a virtual thread begins there is one native frame, which JFR shows
        return frame.isNativeMethod() && !frame.getClassName().equals(CONTINUATION)
                ? PinnedStack.Cause.NATIVE
                : PinnedStack.Cause.NONE;
    }

    private static PinnedStack.Cause blockedCauseOf(StackTraceElement frame) {
        return LoaderFrames.isCall(frame) ? PinnedStack.Cause.CLASS_LOADER : causeOf(frame);
    }

    /** @param operationWithoutCall that of a holder above which no public API was called, or null */
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
            boolean ofJdk = Platform.owns(frame);
            inJdk &= ofJdk;
            Class<?> type = inJdk ? Platform.find(frame.getClassName()) : null;
            if (type != null) {
                call.enclosedBy(type, frame.getMethodName());
            }
            if (holder == null && isHolder.test(frame)) {
                holder = frame;
                holderIndex = kept.size() < wanted.kept() ? kept.size() : -1;
            }
            if (holder != null) {
                caller.enclosedBy(frame, frame.getClassName(), ofJdk);
            }
            if (kept.size() < wanted.kept()) {
                kept.add(frame.toString());
            }
        }
        boolean heldByJdk = holder != null && Platform.owns(holder);
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

    private static String operation(BlockingCall call, boolean heldByJdk, @Nullable String withoutCall) {
        boolean called = heldByJdk && !call.operation().equals(BlockingCall.NO_CALL);
        return called || withoutCall == null ? call.operation() : withoutCall;
    }

    /** The frame as {@code class.method:line}, {@code ?} for an unknown line. */
    public static String location(StackTraceElement frame) {
        int line = frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + ":" + (line > 0 ? Integer.toString(line) : "?");
    }

    /** Whether these are frames of a thread that does the agent's work: a sensor has noticed a pin, and looks at its stack. */
    public static boolean isAgents(List<StackTraceElement> frames) {
        return frames.stream().anyMatch(frame -> isProbe(frame.getClassName()));
    }

    static boolean isProbe(String className) {
        return className.startsWith("java.lang.VtAgent");
    }
}
