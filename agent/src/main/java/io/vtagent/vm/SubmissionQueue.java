package io.vtagent.vm;

import io.vtagent.log.AgentLog;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the scheduler in which the current thread, a platform thread, leaves the virtual threads that it starts. The scheduler has
 * several, and takes one and the same for a thread, by a number that the thread keeps ({@code Thread.threadLocalRandomProbe}; {@code
 * ForkJoinPool.submissionQueue}). How long somebody waits there may differ much from one to the other. Thread-safe.
 */
public final class SubmissionQueue {
    private static final @Nullable Field NUMBER = number();

    private SubmissionQueue() {}

    private static @Nullable Field number() {
        try {
            Field number = Thread.class.getDeclaredField("threadLocalRandomProbe");
            number.setAccessible(true);
            return number;
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            AgentLog.debug("a thread cannot change its queue of the scheduler", unknown);
            return null;
        }
    }

    /** From now on the current thread uses any one of them; always the same where this JDK has no such number. */
    public static void change() {
        Field number = NUMBER;
        if (number != null) {
            try {
                number.setInt(
                        Thread.currentThread(), 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
            } catch (IllegalAccessException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
