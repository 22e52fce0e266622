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
    public static HeldStack entering(
            List<StackTraceElement> frames, FramesOfInterest wanted, @Nullable String monitorClass) {
        HeldStack stack =
                read(frames, wanted, SnapshotStack::isAny, HeldStack.Cause.MONITOR, monitorClass, BlockingCall.NO_CALL);
        String nativeFrame = frames.stream()
                .filter(frame -> blockedCauseOf(frame) != HeldStack.Cause.NONE)
                .findFirst()
                .map(SnapshotStack::location)
                .orElse(null);
        return new HeldStack(
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
    public static HeldStack initializing(
            List<StackTraceElement> frames, FramesOfInterest wanted, @Nullable String className) {
        return read(frames, wanted, SnapshotStack::isAny, HeldStack.Cause.CLASS_INIT, className, INITIALIZATION);
    }

    /** {@code frames} as those of a thread that blocks in native code. */
    public static HeldStack inNativeCode(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, SnapshotStack::isAny, HeldStack.Cause.NATIVE, null, NATIVE_CALL);
    }

    /** {@code frames} as those of a thread that the JVM itself lets wait. */
    public static HeldStack inJvm(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, SnapshotStack::isAny, HeldStack.Cause.NONE, null, IN_JVM);
    }

    /** {@code frames} as those of a thread that the native frame or class initializer nearest to the top keeps from unmounting. */
    public static HeldStack heldByNativeFrame(List<StackTraceElement> frames, FramesOfInterest wanted) {
        return read(frames, wanted, frame -> causeOf(frame) != HeldStack.Cause.NONE, nativeCauseIn(frames), null, null);
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
    public static HeldStack.Cause nativeCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::causeOf);
    }

    /** Why a thread with these frames cannot unmount where monitors do not pin, if it is known that it cannot. */
    public static HeldStack.Cause blockedCauseIn(List<StackTraceElement> frames) {
        return firstCause(frames, SnapshotStack::blockedCauseOf);
    }

    private static HeldStack.Cause firstCause(
            List<StackTraceElement> frames, Function<StackTraceElement, HeldStack.Cause> causeOf) {
        return frames.stream()
                .map(causeOf)
                .filter(cause -> cause != HeldStack.Cause.NONE)
                .findFirst()
                .orElse(HeldStack.Cause.NONE);
    }

    private static boolean isAny(StackTraceElement frame) {
        return true;
    }

    private static HeldStack.Cause causeOf(StackTraceElement frame) {
        if (frame.getMethodName().equals("<clinit>")) {
            return HeldStack.Cause.CLASS_INIT;
        }
        // where a virtual thread begins there is one native frame, which JFR shows
        return frame.isNativeMethod() && !frame.getClassName().equals(CONTINUATION)
                ? HeldStack.Cause.NATIVE
                : HeldStack.Cause.NONE;
    }

    private static HeldStack.Cause blockedCauseOf(StackTraceElement frame) {
        return LoaderFrames.isCall(frame) ? HeldStack.Cause.CLASS_LOADER : causeOf(frame);
    }

    /** @param operationWithoutCall that of a holder above which no public API was called, or null */
    private static HeldStack read(
            List<StackTraceElement> stack,
            FramesOfInterest wanted,
            Predicate<StackTraceElement> isHolder,
            HeldStack.Cause cause,
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
        return new HeldStack(
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
