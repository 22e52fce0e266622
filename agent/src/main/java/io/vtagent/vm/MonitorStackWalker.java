package io.vtagent.vm;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current thread's stack together with the monitors that each frame holds. The JDK offers that to itself alone, as
 * {@code java.lang.LiveStackFrame}. A walk costs about 1 &micro;s a frame, so {@link StackFingerprint} spares most of them.
 * Thread-safe.
 */
public final class MonitorStackWalker {
    private static final StackWalker PLAIN = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private static final Object[] NO_MONITORS = {};

    private final int depth;

    /** @param depth the most frames that are kept; the walk itself goes as deep as the holder lies */
    public MonitorStackWalker(int depth) {
        this.depth = depth;
    }

    /** The calling thread's stack, held by the monitor nearest to the top. */
    public HeldStack heldByMonitor() {
        HeldStack stack = Live.WALKER.walk(frames -> read(frames, HeldStack.Cause.MONITOR));
        return with(stack, stack.holderIndex(), stack.cause(), stack.monitorClass());
    }

    /** The calling thread's stack, about to enter a monitor of {@code monitorClass} in its first frame. */
    public HeldStack heldByEntry(String monitorClass) {
        HeldStack stack = heldByCall();
        return with(stack, 0, HeldStack.Cause.MONITOR, monitorClass);
    }

    private static HeldStack with(
            HeldStack stack, int holderIndex, HeldStack.Cause cause, @Nullable String monitorClass) {
        return new HeldStack(
                stack.frames(),
                holderIndex,
                stack.holder(),
                cause,
                monitorClass,
                stack.operation(),
                stack.caller(),
                NativeFrames.locate(),
                stack.monitors());
    }

    /** The calling thread's stack, held by the native frame or class initializer nearest to the top. */
    public HeldStack heldByNativeFrame() {
        return NativeFrames.WALKER.walk(frames -> read(frames, HeldStack.Cause.NATIVE));
    }

    /**
     * The calling thread's stack, held by a critical section of the JVM's: the class initializer nearest to the top, or the class
     * loader that it has called. If there is neither, it is one of the JDK's own, and the call holds it.
     */
    public HeldStack heldByCriticalSection() {
        return PLAIN.walk(frames -> read(frames, HeldStack.Cause.CLASS_LOADER));
    }

    /** The calling thread's stack, held by the call itself. */
    public HeldStack heldByCall() {
        return PLAIN.walk(frames -> read(frames, HeldStack.Cause.NONE));
    }

    /** Loads what a walk may need. Each of the JDK's classes that is named here was once loaded by a thread of the application. */
    public void warmUp() {
        for (int i = 0; i < HandleCalls.TO_SETTLE; i++) {
            heldByMonitor();
            StackFingerprint.ofCurrentThread();
        }
        NativeFrames.onCurrentThread();
        heldByNativeFrame();
        heldByCriticalSection();
        heldByEntry("");
        Object local = new Object() {};
        new BlockingCall().enclosedBy(local.getClass(), "toString"); // Class.EnclosingMethodInfo
        classesOf(new Object[] {local, local});
        for (int size = 0; size <= 3; size++) { // ImmutableCollections.Map1, MapN, List12, ListN
            Reading reading = new Reading();
            for (int i = 0; i < size; i++) {
                reading.kept.add("");
                reading.monitorsByFrame.put(Integer.toString(i), "");
            }
            reading.toStack();
        }
    }

    /** Lambda forms and stubs, which nobody wrote. */
    private static boolean isGenerated(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return type.isHidden() || type.getPackageName().equals("java.lang.invoke") || NativeFrames.isForeignCall(frame);
    }

    private HeldStack read(Stream<StackFrame> stack, HeldStack.Cause wanted) {
        Reading reading = new Reading();
        for (Iterator<StackFrame> rest = stack.iterator(); rest.hasNext() && !reading.isComplete(wanted); ) {
            StackFrame frame = rest.next();
            if (!isAgent(frame.getDeclaringClass())) {
                reading.add(frame, wanted);
            }
        }
        return reading.toStack();
    }

    private static boolean isAgent(Class<?> type) {
        return type.getModule() == MonitorStackWalker.class.getModule()
                || type.getName().startsWith("java.lang.VtAgent");
    }

    /** {@code java.lang.LiveStackFrame}, looked up when the first stack is walked and not before. */
    private static final class Live {
        static final StackWalker WALKER;
        private static final MethodHandle MONITORS;

        static {
            try {
                Class<?> frame = Class.forName("java.lang.LiveStackFrame");
                var walker = frame.getMethod("getStackWalker", Set.class);
                walker.setAccessible(true);
                WALKER = (StackWalker) walker.invoke(null, Set.of(Option.RETAIN_CLASS_REFERENCE));
                var monitors = frame.getMethod("getMonitors");
                monitors.setAccessible(true);
                MONITORS = MethodHandles.lookup()
                        .unreflect(monitors)
                        .asType(MethodType.methodType(Object[].class, StackFrame.class));
            } catch (ReflectiveOperationException missing) {
                throw new LinkageError("java.lang.LiveStackFrame is not what it was", missing);
            }
        }

        static Object[] monitors(StackFrame frame) {
            try {
                return (Object[]) MONITORS.invokeExact(frame);
            } catch (Throwable unreadable) {
                return new Object[0];
            }
        }
    }

    /** One walk as it proceeds from the innermost frame outward. */
    private final class Reading {
        private final List<String> kept = new ArrayList<>();
        private final Map<String, String> monitorsByFrame = new HashMap<>();
        private final BlockingCall call = new BlockingCall();
        private HeldStack.Cause cause = HeldStack.Cause.NONE;
        private int holderIndex = -1;
        private @Nullable StackFrame holder;
        private @Nullable StackFrame firstOfApplication;
        private @Nullable StackFrame caller;
        private @Nullable String monitorClass;
        private boolean inForeignCall;
        /** Whether the holder and all frames since are those of class loaders: the JVM has called the outermost one. */
        private boolean inLoader;

        private int seen;

        boolean isComplete(HeldStack.Cause wanted) {
            boolean held = wanted == HeldStack.Cause.NONE
                    || (holder != null && (caller != null || !Platform.owns(holder.getDeclaringClass())));
            return seen >= depth && held && firstOfApplication != null;
        }

        void add(StackFrame frame, HeldStack.Cause wanted) {
            if (isGenerated(frame)) {
                inForeignCall |= wanted == HeldStack.Cause.NATIVE && NativeFrames.isForeignCall(frame);
                return;
            }
            boolean platform = Platform.owns(frame.getDeclaringClass());
            if (firstOfApplication == null) {
                if (platform) {
                    call.enclosedBy(frame.getDeclaringClass(), frame.getMethodName());
                } else {
                    firstOfApplication = frame;
                }
            }
            Object[] monitors = wanted == HeldStack.Cause.MONITOR ? Live.monitors(frame) : NO_MONITORS;
            inLoader &= LoaderFrames.isOfLoader(frame);
            if (holder == null || inLoader) {
                lookForHolder(frame, wanted, monitors);
            } else if (caller == null && !platform) {
                caller = frame;
            }
            if (seen < depth) {
                String text = frame.toStackTraceElement().toString();
                kept.add(text);
                if (monitors.length > 0) {
                    monitorsByFrame.put(text, classesOf(monitors));
                }
            }
            seen++;
        }

        private void lookForHolder(StackFrame frame, HeldStack.Cause wanted, Object[] monitors) {
            if (monitors.length > 0) {
                Object innermost = monitors[monitors.length - 1];
                monitorClass = innermost == null ? null : innermost.getClass().getName();
                hold(frame, HeldStack.Cause.MONITOR);
            } else if (wanted == HeldStack.Cause.NATIVE) {
                HeldStack.Cause found = inForeignCall ? HeldStack.Cause.NATIVE : NativeFrames.causeOf(frame);
                if (found != HeldStack.Cause.NONE) {
                    hold(frame, found);
                }
            } else if (wanted == HeldStack.Cause.CLASS_LOADER) {
                if (LoaderFrames.isCall(frame)) {
                    hold(frame, HeldStack.Cause.CLASS_LOADER);
                    inLoader = true;
                } else if (NativeFrames.causeOf(frame) == HeldStack.Cause.CLASS_INIT) {
                    hold(frame, HeldStack.Cause.CLASS_INIT);
                    inLoader = false;
                }
            }
        }

        private void hold(StackFrame frame, HeldStack.Cause found) {
            holder = frame;
            cause = found;
            holderIndex = seen < depth ? seen : -1;
        }

        HeldStack toStack() {
            StackFrame held = holder;
            StackFrame named = held == null ? firstOfApplication : held;
            boolean ofJdk = held != null && Platform.owns(held.getDeclaringClass());
            return new HeldStack(
                    List.copyOf(kept),
                    holderIndex,
                    named == null ? "?.?:?" : location(named),
                    cause,
                    monitorClass,
                    call.operation(),
                    ofJdk && caller != null ? location(caller) : null,
                    null,
                    Map.copyOf(monitorsByFrame));
        }
    }

    /** One that the compiler has done away with is null. */
    private static String classesOf(Object[] monitors) {
        StringBuilder classes = new StringBuilder();
        for (int i = monitors.length - 1; i >= 0; i--) {
            classes.append(classes.isEmpty() ? "" : ", ")
                    .append(monitors[i] == null ? "?" : monitors[i].getClass().getName());
        }
        return classes.toString();
    }

    static String location(StackFrame frame) {
        return SnapshotStack.location(frame.toStackTraceElement());
    }
}
