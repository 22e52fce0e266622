package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * The thread that held a carrier, and until when, as far as the sampler or JFR can determine it.
 *
 * @param thread the thread, or null if it is not known
 * @param threadId the id of the thread, or 0 if it is not known
 * @param untilNanos on the scale of {@link System#nanoTime}
 */
public record PinnedThread(@Nullable Thread thread, long threadId, long untilNanos) {
    /** Returns the value for {@code thread}, which held its carrier until {@code untilNanos}. */
    public static PinnedThread of(Thread thread, long untilNanos) {
        return new PinnedThread(thread, thread.threadId(), untilNanos);
    }
}
