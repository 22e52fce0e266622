package io.vtagent.site;

import io.vtagent.jvm.HandleCalls;
import io.vtagent.jvm.JdkInternal;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the monitors and locals of the current thread's frames. The JDK's internal {@code
 * java.lang.LiveStackFrame} provides them; it is looked up when the first stack is walked.
 */
final class LiveFrames {
    static final Object[] NOTHING = {};
    static final StackWalker WALKER;
    private static final MethodHandle MONITORS;
    private static final MethodHandle LOCALS;

    static {
        try {
            Class<?> unused = JdkInternal.LIVE_STACK_WALKER.initializedType();
            var walker = JdkInternal.LIVE_STACK_WALKER.method();
            walker.setAccessible(true);
            WALKER = (StackWalker) walker.invoke(null, Set.of(Option.RETAIN_CLASS_REFERENCE));
            MONITORS = getter(JdkInternal.LIVE_MONITORS);
            LOCALS = getter(JdkInternal.LIVE_LOCALS);
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.LIVE_STACK_WALKER.changed(missing);
        }
    }

    private LiveFrames() {}

    private static MethodHandle getter(JdkInternal getter) throws ReflectiveOperationException {
        var method = getter.method();
        method.setAccessible(true);
        return MethodHandles.lookup()
                .unreflect(method)
                .asType(MethodType.methodType(Object[].class, StackFrame.class));
    }

    /** Links and specializes the method handles. */
    static void settle() {
        WALKER.walk(new Settling());
    }

    /** Returns how often it has called each handle. */
    private static final class Settling implements Function<Stream<StackFrame>, Integer> {
        @Override
        public Integer apply(Stream<StackFrame> frames) {
            StackFrame frame = frames.iterator().next();
            int calls = 0;
            for (; calls < HandleCalls.TO_SETTLE; calls++) {
                monitors(frame);
                locals(frame);
            }
            return calls;
        }
    }

    static Object[] monitors(StackFrame frame) {
        try {
            return (Object[]) MONITORS.invokeExact(frame);
        } catch (Throwable unreadable) {
            return NOTHING;
        }
    }

    /**
     * Returns the locals of a frame. An object is an element itself; elements that stand for
     * primitive values are not of interest.
     */
    static Object[] locals(StackFrame frame) {
        try {
            return (Object[]) LOCALS.invokeExact(frame);
        } catch (Throwable unreadable) {
            return NOTHING;
        }
    }
}
