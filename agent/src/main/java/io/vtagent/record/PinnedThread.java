package io.vtagent.record;

import org.jspecify.annotations.Nullable;

/**
 * Who held a carrier until when, as far as that can be told from outside.
 *
 * @param thread null if it is not known
 * @param threadId 0 if it is not known
 * @param untilNanos on the scale of {@link System#nanoTime}
 */
public record PinnedThread(@Nullable Thread thread, long threadId, long untilNanos) {
    /** {@code thread}, until {@code untilNanos}. */
    public static PinnedThread of(Thread thread, long untilNanos) {
        return new PinnedThread(thread, thread.threadId(), untilNanos);
    }
}
