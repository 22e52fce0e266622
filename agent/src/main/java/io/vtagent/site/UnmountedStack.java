package io.vtagent.site;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stack of a virtual thread that waits without a carrier. Such a thread cannot mount
 * while its stack is read, which takes some 10 &micro;s: if it is unparked meanwhile, the JDK
 * submits it to its scheduler afterwards. Thread-safe.
 *
 * <p>The caller must not ask for threads that are ready to run: the JDK submits these once more, so
 * they may lose their place in the queue.
 */
public final class UnmountedStack {
    /** The number of attempts to repair a read that failed. */
    private static final int MAX_REPAIRS = 100;

    private static final long REPAIR_PAUSE_NANOS = 20_000_000;

    /**
     * {@code VirtualThread.tryGetStackTrace}, which does not loop while the thread is in between;
     * null on JDK 27 and later, where the JVM reads the stacks of unmounted threads.
     */
    private static final @Nullable MethodHandle TAKE = take();

    private UnmountedStack() {}

    /**
     * Returns the frames of {@code thread}, the innermost first; empty if it is not waiting, or is
     * mounted or about to be.
     */
    public static List<StackTraceElement> of(Thread thread) {
        return TAKE == null ? Snapshot.of(thread).frames() : of(TAKE, thread);
    }

    static List<StackTraceElement> of(MethodHandle take, Thread thread) {
        try {
            return read(take, thread);
        } catch (Throwable failed) {
            repair(take, thread);
            throw failed;
        }
    }

    private static List<StackTraceElement> read(MethodHandle take, Thread thread) {
        try {
            StackTraceElement[] frames = (StackTraceElement[]) take.invokeExact(thread);
            return frames == null ? List.of() : List.of(frames);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Reads the stack until that succeeds. Where a read fails in the middle, for lack of memory,
     * the JDK does not submit a thread that was unparked meanwhile, and nothing else would. A later
     * read does it.
     */
    private static void repair(MethodHandle take, Thread thread) {
        for (int i = 0; i < MAX_REPAIRS && !AgentThread.isDetached(); i++) {
            try {
                List<StackTraceElement> unused = read(take, thread);
                return;
            } catch (Throwable again) {
                AgentThread.pause(REPAIR_PAUSE_NANOS);
            }
        }
        AgentLog.error("the stack of thread #" + thread.threadId() + " cannot be read");
    }

    private static @Nullable MethodHandle take() {
        try {
            Method take = JdkInternal.STACK_OF_UNMOUNTED.method();
            take.setAccessible(true);
            return MethodHandles.lookup()
                    .unreflect(take)
                    .asType(MethodType.methodType(StackTraceElement[].class, Thread.class));
        } catch (NoSuchMethodException later) {
            return null;
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.STACK_OF_UNMOUNTED.changed(missing);
        }
    }
}
