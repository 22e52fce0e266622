package io.vtagent.watch;

import io.vtagent.record.PinKind;
import io.vtagent.vm.Platform;
import io.vtagent.vm.Snapshot;
import io.vtagent.vm.Uninitialized;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a thread is asleep in, as its stack tells: native code, the JVM itself, or a wait for a class that another thread initializes.
 * Of the last the JVM tells nothing from outside, up to JDK 25 at the earliest when it is over. It is known by two facts that do not
 * deceive together: the innermost method's class names a class that is not initialized, and another thread runs its initializer, or
 * that of a superclass. Immutable.
 *
 * @param suspects classes that are not initialized, which the thread may wait for
 * @param waits whether it is known that it waits for one of them
 * @param byNative whether it may wait for any class, since a native method of the JDK's was given one ({@code Class.forName})
 * @param mayBeForeign whether it may be in native code that was called through {@code java.lang.foreign}, whose frames are hidden
 * @param inNativeMethod whether the innermost frame is a native method that runs code which is not the JVM's
 */
record Sleep(List<Class<?>> suspects, boolean waits, boolean byNative, boolean mayBeForeign, boolean inNativeMethod) {
    /** Of a thread of which neither is known, its stack nor whether it is in native code. */
    static final Sleep UNKNOWN = new Sleep(List.of(), false, false, true, false);

    private static final String REFLECTION = "jdk.internal.reflect.";
    private static final Set<String> INITIALIZE = Set.of(
            "java.lang.Class.forName0",
            "java.lang.invoke.MethodHandleNatives.resolve",
            "jdk.internal.misc.Unsafe.allocateInstance",
            "jdk.internal.misc.Unsafe.ensureClassInitialized0");

    /** Where threads mount and unmount, and the JVM stops them for its own purposes; it names classes that JFR initializes some time. */
    private static final String SWITCHES = "java.lang.VirtualThread";

    /** Classes whose native methods are the JVM's own code. */
    private static final Set<String> JVMS = Set.of(
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

    /** @param entering whether the thread waits to enter a monitor, by what Java calls its state */
    static Sleep in(Snapshot stack, boolean entering) {
        Class<?> innermost = stack.innermost();
        if (innermost == null) {
            return UNKNOWN;
        }
        if (stack.isInNativeMethod()) {
            StackTraceElement frame = stack.frames().getFirst();
            boolean initializes = INITIALIZE.contains(frame.getClassName() + '.' + frame.getMethodName())
                    || frame.getClassName().startsWith(REFLECTION);
            return new Sleep(List.of(), false, initializes, false, !initializes && !JVMS.contains(innermost.getName()));
        }
        boolean jdksMonitor = entering && Platform.owns(innermost);
        if (jdksMonitor || innermost.getName().equals(SWITCHES)) {
            return new Sleep(List.of(), false, false, false, false);
        }
        List<Class<?>> suspects = Uninitialized.namedBy(innermost).stream()
                .filter(suspect -> !stack.initializing().contains(suspect))
                .toList();
        return new Sleep(suspects, false, false, Uninitialized.names(innermost, MethodHandle.class), false);
    }

    /**
     * This sleep, of which the JVM has said whether it is one in native code: then that is all it is. If not, a native method has called the JVM,
     * and may wait for any class.
     */
    Sleep told(boolean inNativeCode) {
        if (inNativeCode) {
            return new Sleep(List.of(), false, false, false, true);
        }
        return new Sleep(suspects, waits, byNative || inNativeMethod, false, false);
    }

    /** Whether it may be a wait for a class, and is not known to be one. */
    boolean isOpen() {
        return !waits && (byNative || !suspects.isEmpty());
    }

    /** This sleep while other threads initialize {@code initialized}: if it may be a wait for one of those, it is. */
    Sleep whileOthersInitialize(List<Class<?>> initialized) {
        List<Class<?>> awaited = byNative
                ? initialized
                : suspects.stream()
                        .filter(suspect -> initialized.stream().anyMatch(type -> type.isAssignableFrom(suspect)))
                        .toList();
        return awaited.isEmpty() ? this : waitingFor(awaited);
    }

    /** This sleep, which is over: if a class that it may have waited for has been initialized since, it did. */
    Sleep over() {
        if (mayBeForeign && !waits) {
            return this;
        }
        List<Class<?>> awaited = initializedSince();
        return awaited.isEmpty() ? this : waitingFor(awaited);
    }

    /** The class that it waited for, if that is known, of a sleep that is over and was such a wait. */
    @Nullable
    String awaitedUntilOver() {
        List<Class<?>> awaited = initializedSince();
        return awaited.size() == 1 ? awaited.getFirst().getName() : null;
    }

    private List<Class<?>> initializedSince() {
        return suspects.stream().filter(Uninitialized::isInitialized).toList();
    }

    /** This sleep, if it is a wait for a class of which nothing else is known. */
    Sleep forSomeClass() {
        return waitingFor(List.of());
    }

    private Sleep waitingFor(List<Class<?>> awaited) {
        return new Sleep(awaited, true, byNative, mayBeForeign, inNativeMethod);
    }

    /** The class that it waits for, if that is known. */
    @Nullable
    Class<?> awaited() {
        return waits && suspects.size() == 1 ? suspects.getFirst() : null;
    }

    /** What the pin is of. */
    PinKind kind(boolean entering) {
        if (waits) {
            return PinKind.CLASS_INIT;
        }
        if (entering) {
            return PinKind.ENTER;
        }
        return inNativeMethod || mayBeForeign ? PinKind.NATIVE : PinKind.JVM;
    }
}
