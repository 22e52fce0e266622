package io.vtagent.site;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack of another thread at one moment. Reading it costs about 50 &micro;s and pauses that
 * thread, if it runs, for part of this time.
 *
 * @param frames the innermost first; empty if the thread is not alive or is an unmounted virtual
 *     thread, or while classes are redefined ({@link Redefinitions})
 * @param innermost the class that declares the innermost frame's method, if it is known
 * @param initializing the classes whose initializers the thread runs, the innermost first, as far
 *     as they are known
 */
public record Snapshot(
        List<StackTraceElement> frames, @Nullable Class<?> innermost, List<Class<?>> initializing) {
    private static final StackTraceElement[] NO_FRAMES = {};
    private static final String INITIALIZER = "<clinit>";

    /**
     * The JDK's internal way to take a stack. It keeps the class in each frame and does not suspend
     * an unmounted thread.
     */
    private static final class Raw {
        static final MethodHandle TAKE;
        static final VarHandle TYPE;
        static final MethodHandle FINISH;

        static {
            try {
                Method take = JdkInternal.STACK_AS_ARRAY.method(); // whatever it returns
                take.setAccessible(true);
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                TAKE =
                        lookup.unreflect(take)
                                .asType(MethodType.methodType(Object.class, Thread.class));
                TYPE =
                        JdkInternal.FRAME_CLASS.varHandle(
                                MethodHandles.privateLookupIn(StackTraceElement.class, lookup));
                FINISH = lookup.unreflect(finish());
            } catch (ReflectiveOperationException missing) {
                throw JdkInternal.STACK_AS_ARRAY.changed(missing);
            }
        }

        private Raw() {}

        private static Method finish() throws ReflectiveOperationException {
            for (JdkInternal internal :
                    List.of(JdkInternal.FINISH_FRAMES_OF, JdkInternal.FINISH_FRAMES)) {
                try {
                    Method finish = internal.method();
                    finish.setAccessible(true);
                    return finish;
                } catch (NoSuchMethodException other) {
                    // it has the other name
                }
            }
            throw new NoSuchMethodException(JdkInternal.FINISH_FRAMES.toString());
        }
    }

    /** Takes the stack of {@code thread}, which must not be the current one. */
    public static Snapshot of(Thread thread) {
        return of(take(thread));
    }

    /**
     * Takes the stack of {@code thread}, which must not be the current one.
     *
     * @param taken runs as soon as the stack is taken; completing the frames takes longer where
     *     nothing is compiled yet
     */
    public static Snapshot of(Thread thread, Runnable taken) {
        StackTraceElement[] raw = take(thread);
        taken.run();
        return of(raw);
    }

    private static Snapshot of(StackTraceElement[] raw) {
        List<Class<?>> initializing = new ArrayList<>();
        for (StackTraceElement frame : raw) {
            if (frame.getMethodName().equals(INITIALIZER)) {
                initializing.add((Class<?>) Raw.TYPE.get(frame));
            }
        }
        Class<?> innermost = raw.length == 0 ? null : (Class<?>) Raw.TYPE.get(raw[0]);
        return new Snapshot(List.of(finish(raw)), innermost, initializing);
    }

    private static StackTraceElement[] take(Thread thread) {
        if (!Redefinitions.beginRead()) {
            return NO_FRAMES;
        }
        try {
            Object taken = (Object) Raw.TAKE.invokeExact(thread);
            return taken == null ? NO_FRAMES : (StackTraceElement[]) taken;
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        } finally {
            Redefinitions.endRead();
        }
    }

    /** Completes the frames, which then no longer refer to their classes. */
    private static StackTraceElement[] finish(StackTraceElement[] raw) {
        try {
            return raw.length == 0 ? raw : (StackTraceElement[]) Raw.FINISH.invokeExact(raw);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns whether the innermost frame is a native method. */
    public boolean isInNativeMethod() {
        return !frames.isEmpty() && frames.getFirst().isNativeMethod();
    }
}
