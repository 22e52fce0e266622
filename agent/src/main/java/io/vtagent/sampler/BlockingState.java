package io.vtagent.sampler;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.hotspot.Uninitialized;
import io.vtagent.pin.PinKind;
import io.vtagent.site.JdkCode;
import io.vtagent.site.Snapshot;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place where an off-CPU thread blocks: native code, the JVM itself, or a wait for a class that
 * another thread initializes or links. HotSpot reports the place where that is {@link
 * HotSpot#isProved proved}. Otherwise it is derived from the innermost frame, and a wait for a
 * class counts as one in the JVM. Immutable.
 *
 * @param forClass whether the thread waits for a class
 * @param awaited the name of that class, if it is known
 * @param unlinked classes that are not linked, one of which a thread that enters a monitor may wait
 *     for: a thread that links a class holds a monitor of the JVM's
 *     (InstanceKlass::link_class_impl)
 * @param mayBeForeign whether the thread may be in native code that was called through {@code
 *     java.lang.foreign}, whose frames are hidden
 * @param inNativeMethod whether the thread is in native code that is not the JVM's
 */
record BlockingState(
        boolean forClass,
        @Nullable String awaited,
        List<Class<?>> unlinked,
        boolean mayBeForeign,
        boolean inNativeMethod) {
    /** The state of a thread whose stack is not known, nor whether it is in native code. */
    static final BlockingState UNKNOWN = new BlockingState(false, null, List.of(), true, false);

    static final BlockingState IN_JVM = new BlockingState(false, null, List.of(), false, false);
    static final BlockingState IN_NATIVE_CODE =
            new BlockingState(false, null, List.of(), false, true);

    private static final String REFLECTION = "jdk.internal.reflect.";

    /**
     * The class in which threads mount and unmount, and in which the JVM stops them for its own
     * purposes.
     */
    private static final String SWITCHES = "java.lang.VirtualThread";

    /** Classes whose native methods are the JVM's own code. */
    private static final Set<String> JVM_CLASSES =
            Set.of(
                    "java.lang.Class",
                    "java.lang.ClassLoader",
                    "java.lang.Object",
                    "java.lang.Runtime",
                    "java.lang.StackStreamFactory$AbstractStackWalker",
                    "java.lang.Thread",
                    "java.lang.Throwable",
                    "java.lang.VirtualThread",
                    "java.lang.invoke.MethodHandleNatives",
                    "jdk.internal.misc.Unsafe",
                    "jdk.internal.vm.Continuation");

    /** Warms up what the first wait for a class needs. */
    static void warmUp() {
        BlockingState unused = entering(unlinkedIn(BlockingState.class)).afterEnd();
        HotSpot.Moment moment =
                new HotSpot.Moment(
                        HotSpot.State.BLOCKED,
                        new HotSpot.AwaitedClass(BlockingState.class.getName(), 0));
        BlockingState unusedToo = UNKNOWN.refinedBy(moment);
    }

    /** Returns a wait for the class of that name, which is null if unknown. */
    static BlockingState waitingFor(@Nullable String awaited) {
        return new BlockingState(true, awaited, List.of(), false, false);
    }

    /**
     * @param entering whether the thread waits to enter a monitor, according to its Java thread
     *     state
     */
    static BlockingState in(Snapshot stack, boolean entering) {
        Class<?> innermost = stack.innermost();
        if (innermost == null) {
            return UNKNOWN;
        }
        if (stack.isInNativeMethod()) {
            String type = innermost.getName();
            return JVM_CLASSES.contains(type) || type.startsWith(REFLECTION)
                    ? IN_JVM
                    : IN_NATIVE_CODE;
        }
        if (innermost.getName().equals(SWITCHES)) {
            return IN_JVM;
        }
        if (!entering) {
            return Uninitialized.names(innermost, MethodHandle.class) ? UNKNOWN : IN_JVM;
        }
        // code of the JDK enters only the JDK's own monitors
        return JdkCode.owns(innermost) ? IN_JVM : entering(unlinkedIn(innermost));
    }

    /**
     * Returns the state of a thread that enters a monitor and may wait for one of these classes,
     * which are not linked.
     */
    static BlockingState entering(List<Class<?>> unlinked) {
        return new BlockingState(false, null, unlinked, false, false);
    }

    private static List<Class<?>> unlinkedIn(Class<?> innermost) {
        HotSpot jvm = HotSpot.ofThisJvm();
        return Uninitialized.namedBy(innermost).stream()
                .filter(named -> !jvm.isLinked(named))
                .toList();
    }

    /** Returns the state that {@code moment} shows; this state if it shows none. */
    BlockingState refinedBy(HotSpot.Moment moment) {
        HotSpot.AwaitedClass known = moment.awaited();
        return switch (moment.state()) {
            case UNKNOWN -> this;
            case NATIVE -> IN_NATIVE_CODE;
            default -> known == null ? IN_JVM : waitingFor(known.name());
        };
    }

    /** Returns whether nothing more can be found out about this state while it lasts. */
    boolean isSettled() {
        return forClass || inNativeMethod;
    }

    /** Returns whether this may be a wait for a class but is not known to be one. */
    boolean mayBeForClass() {
        return !forClass && !unlinked.isEmpty();
    }

    /**
     * Returns this state after it has ended. If a class that the thread may have waited for has
     * been initialized since, it was a wait for that class.
     */
    BlockingState afterEnd() {
        List<Class<?>> since = unlinked.stream().filter(Uninitialized::isInitialized).toList();
        return since.isEmpty()
                ? this
                : waitingFor(since.size() == 1 ? since.getFirst().getName() : null);
    }

    /** Returns the kind of the pin. */
    PinKind kind(boolean entering) {
        if (forClass) {
            return PinKind.CLASS_INIT;
        }
        if (entering) {
            return PinKind.ENTER;
        }
        return inNativeMethod || mayBeForeign ? PinKind.NATIVE : PinKind.JVM;
    }
}
