package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the scheduler to which the current thread, a platform thread, submits the virtual
 * threads that it starts. The scheduler has several queues and always uses the same one for a
 * thread, chosen by a number that the thread keeps ({@code Thread.threadLocalRandomProbe}; {@code
 * ForkJoinPool.submissionQueue}). Waiting times may differ much between queues. Thread-safe.
 */
public final class SubmissionQueue {
    private static final @Nullable Field NUMBER = number();

    private SubmissionQueue() {}

    private static @Nullable Field number() {
        try {
            Field number = JdkInternal.THREAD_QUEUE.field();
            number.setAccessible(true);
            return number;
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            AgentLog.debug("a thread cannot change its queue of the scheduler", unknown);
            return null;
        }
    }

    /**
     * Makes the current thread use a random one of these queues from now on. On a JDK without such
     * a number it keeps its queue.
     */
    public static void change() {
        Field number = NUMBER;
        if (number != null) {
            try {
                number.setInt(
                        Thread.currentThread(),
                        1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
            } catch (IllegalAccessException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
