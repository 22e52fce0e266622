package io.vtagent.site;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current thread's stack together with the monitors that each frame holds. The JDK offers
 * this only to itself, as {@code java.lang.LiveStackFrame}. A walk costs about 1 &micro;s per
 * frame; {@link StackFingerprint} makes most walks unnecessary. Each method returns {@link
 * PinnedStack#AGENTS} if the agent works on the thread. Thread-safe.
 */
public final class MonitorStackWalker {
    private static final StackWalker PLAIN = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private final FramesOfInterest wanted;

    /**
     * @param wanted the frames to keep; the walk itself goes as deep as the holder and the caller
     */
    public MonitorStackWalker(FramesOfInterest wanted) {
        this.wanted = wanted;
    }

    /** Returns the calling thread's stack, held by the monitor nearest to the top. */
    public PinnedStack heldByMonitor() {
        return withNativeFrame(
                LiveFrames.WALKER.walk(new Reading(PinnedStack.Cause.MONITOR, null)));
    }

    /** Returns the calling thread's stack, about to enter {@code monitor} in its first frame. */
    public PinnedStack heldByEntry(Object monitor) {
        return withNativeFrame(
                LiveFrames.WALKER.walk(new Reading(PinnedStack.Cause.NONE, monitor)));
    }

    private static PinnedStack withNativeFrame(PinnedStack stack) {
        return stack == PinnedStack.AGENTS ? stack : stack.withNativeFrame(NativeFrames.locate());
    }

    /**
     * Returns the calling thread's stack, held by the native frame or class initializer nearest to
     * the top.
     */
    public PinnedStack heldByNativeFrame() {
        return NativeFrames.WALKER.walk(new Reading(PinnedStack.Cause.NATIVE, null));
    }

    /**
     * Returns the calling thread's stack, held by a critical section of the JVM: the class
     * initializer nearest to the top, or the class loader that the JVM called. If there is neither,
     * the critical section is the JDK's own and the call itself is the holder.
     */
    public PinnedStack heldByCriticalSection() {
        return PLAIN.walk(new Reading(PinnedStack.Cause.CLASS_LOADER, null));
    }

    /** Returns the calling thread's stack, held by the call itself. */
    public PinnedStack heldByCall() {
        return withNativeFrame(PLAIN.walk(new Reading(PinnedStack.Cause.NONE, null)));
    }

    /**
     * Loads the classes that a walk may need, including the JDK's, so that no thread of the
     * application has to load them.
     */
    public void warmUp() {
        LiveFrames.settle();
        heldByMonitor();
        StackFingerprint.ofCurrentThread();
        NativeFrames.onCurrentThread();
        heldByNativeFrame();
        heldByCriticalSection();
        heldByEntry(this);
        Object local = new Object() {};
        new BlockingCall().enclosedBy(local.getClass(), "toString"); // Class.EnclosingMethodInfo
        monitorsOf(new Object[] {local, local}, null, null);
        monitorsOf(new Object[] {local, local}, this, null);
        for (int size = 0; size <= 3; size++) { // ImmutableCollections.Map1, MapN, List12, ListN
            Reading reading = new Reading(PinnedStack.Cause.NONE, null);
            for (int i = 0; i < size; i++) {
                reading.kept.add("");
                reading.monitorsByFrame.put(
                        Integer.toString(i), new PinnedStack.Monitors("", null));
            }
            reading.toStack();
        }
    }

    /** Returns whether this is a generated frame: a lambda form or a stub. */
    private static boolean isGenerated(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return type.isHidden()
                || type.getPackageName().equals("java.lang.invoke")
                || NativeFrames.isForeignCall(frame);
    }

    /** A single walk, from the innermost frame outward. */
    private final class Reading implements Function<Stream<StackFrame>, PinnedStack> {
        private final PinnedStack.Cause wantedCause;
        private final @Nullable Object entered;
        private final List<String> kept = new ArrayList<>();
        private final Map<String, PinnedStack.Monitors> monitorsByFrame = new HashMap<>();
        private final BlockingCall call = new BlockingCall();
        private PinnedStack.Cause cause = PinnedStack.Cause.NONE;
        private int holderIndex = -1;
        private @Nullable StackFrame holder;
        private @Nullable StackFrame firstOfApplication;
        private Caller<StackFrame> caller = new Caller<>(wanted);
        private @Nullable String monitorClass;
        private @Nullable Object waitedIn;
        private boolean inForeignCall;

        /**
         * Whether the holder and all frames added since belong to class loaders. The JVM called the
         * outermost of them.
         */
        private boolean inLoader;

        private int seen;

        /**
         * @param wantedCause the cause by which to find the holder
         * @param entered the monitor that the thread is about to enter, or null; if not null, the
         *     monitors that the thread holds are read as well
         */
        Reading(PinnedStack.Cause wantedCause, @Nullable Object entered) {
            this.wantedCause = wantedCause;
            this.entered = entered;
            if (entered != null) {
                cause = PinnedStack.Cause.MONITOR;
                holderIndex = 0;
                monitorClass = entered.getClass().getName();
            }
        }

        @Override
        public PinnedStack apply(Stream<StackFrame> frames) {
            boolean inHook =
                    true; // the innermost frames are those of the hook that reads the stack
            for (Iterator<StackFrame> rest = frames.iterator(); rest.hasNext() && !isComplete(); ) {
                StackFrame frame = rest.next();
                Class<?> type = frame.getDeclaringClass();
                boolean isProbe = SnapshotStack.isProbe(type.getName());
                if (SnapshotStack.isOwnLoader(type.getName()) || (isProbe && !inHook)) {
                    return PinnedStack.AGENTS;
                }
                if (!isProbe && type.getModule() != MonitorStackWalker.class.getModule()) {
                    inHook = false;
                    add(frame);
                }
            }
            return toStack();
        }

        boolean isComplete() {
            boolean held = wantedCause == PinnedStack.Cause.NONE || holder != null;
            return seen >= wanted.kept() && held && caller.isFound();
        }

        void add(StackFrame frame) {
            if (isGenerated(frame)) {
                inForeignCall |= NativeFrames.isForeignCall(frame);
                return;
            }
            String className = frame.getDeclaringClass().getName();
            boolean ofJdk = JdkCode.owns(frame.getDeclaringClass());
            boolean passesOn = ofJdk || ReflectiveFrames.isOne(className, frame.getMethodName());
            if (firstOfApplication == null) {
                if (passesOn) {
                    call.enclosedBy(frame.getDeclaringClass(), frame.getMethodName());
                } else {
                    firstOfApplication = frame;
                }
            }
            Object[] monitors =
                    wantedCause == PinnedStack.Cause.MONITOR || entered != null
                            ? LiveFrames.monitors(frame)
                            : LiveFrames.NOTHING;
            if (wantedCause == PinnedStack.Cause.MONITOR && seen == 0) {
                waitedIn = waitedIn(frame);
            }
            inLoader &= LoaderFrames.isOfLoader(frame);
            if (holder == null || inLoader) {
                findHolder(frame, monitors);
            }
            caller.enclosedBy(frame, className, passesOn);
            if (seen < wanted.kept()) {
                String text = frame.toStackTraceElement().toString();
                kept.add(text);
                PinnedStack.Monitors held = monitorsOf(monitors, waitedIn, entered);
                if (held != null) {
                    monitorsByFrame.put(
                            text,
                            seen > 0 || entered == null
                                    ? held
                                    : held.andEntered(entered.getClass().getName()));
                }
            }
            seen++;
        }

        private void findHolder(StackFrame frame, Object[] monitors) {
            if (wantedCause == PinnedStack.Cause.MONITOR && monitors.length > 0) {
                Object innermost = monitors[monitors.length - 1];
                monitorClass = innermost == null ? null : innermost.getClass().getName();
                hold(frame, PinnedStack.Cause.MONITOR);
            } else if (wantedCause == PinnedStack.Cause.NATIVE) {
                PinnedStack.Cause found =
                        inForeignCall ? PinnedStack.Cause.NATIVE : NativeFrames.causeOf(frame);
                if (found != PinnedStack.Cause.NONE) {
                    hold(frame, found);
                }
            } else if (wantedCause == PinnedStack.Cause.CLASS_LOADER) {
                if (LoaderFrames.isCall(frame)) {
                    hold(frame, PinnedStack.Cause.CLASS_LOADER);
                    inLoader = true;
                } else if (NativeFrames.causeOf(frame) == PinnedStack.Cause.CLASS_INIT) {
                    hold(frame, PinnedStack.Cause.CLASS_INIT);
                    inLoader = false;
                }
            }
        }

        private void hold(StackFrame frame, PinnedStack.Cause found) {
            holder = frame;
            cause = found;
            holderIndex = seen < wanted.kept() ? seen : -1;
            caller = new Caller<>(wanted); // from here outward
        }

        PinnedStack toStack() {
            StackFrame held = holder;
            StackFrame named = held == null ? firstOfApplication : held;
            StackFrame line = caller.frame();
            return new PinnedStack(
                    List.copyOf(kept),
                    holderIndex,
                    named == null ? "?.?:?" : location(named),
                    cause,
                    monitorClass,
                    call.operation(),
                    line == null || line == named ? null : location(line),
                    null,
                    Map.copyOf(monitorsByFrame));
        }
    }

    /**
     * Returns the object on which the thread waits if {@code frame}, the innermost one, is that of
     * {@code Object.wait(long)}; otherwise null.
     */
    private static @Nullable Object waitedIn(StackFrame frame) {
        Object[] locals = LiveFrames.locals(frame);
        boolean waits =
                frame.getDeclaringClass() == Object.class && frame.getMethodName().equals("wait");
        return waits && locals.length > 0 ? locals[0] : null;
    }

    /**
     * @param monitors the oldest first; a monitor that the compiler eliminated is null
     * @param waitedIn the object whose monitor the thread gives up while it waits, or null if it
     *     does not wait
     * @param entered the monitor that the thread waits to enter or has just entered, or null
     */
    static PinnedStack.@Nullable Monitors monitorsOf(
            Object[] monitors, @Nullable Object waitedIn, @Nullable Object entered) {
        if (monitors.length == 0) {
            return null;
        }
        StringBuilder classes = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        for (int i = monitors.length - 1; i >= 0; i--) {
            Object monitor = monitors[i];
            if (monitor != null && monitor == entered) {
                continue;
            }
            String name = monitor == null ? "?" : monitor.getClass().getName();
            classes.append(classes.isEmpty() ? "" : ", ").append(name);
            boolean waits = waitedIn != null || entered != null;
            if (waits && monitor != null && monitor != waitedIn) {
                kept.append(kept.isEmpty() ? "" : ", ").append(name);
            }
        }
        return classes.isEmpty()
                ? null
                : new PinnedStack.Monitors(
                        classes.toString(), kept.isEmpty() ? null : kept.toString());
    }

    static String location(StackFrame frame) {
        return SnapshotStack.location(frame.toStackTraceElement());
    }
}
