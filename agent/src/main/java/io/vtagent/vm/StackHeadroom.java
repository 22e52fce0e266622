package io.vtagent.vm;

/**
 * Makes sure that some stack is left. A hook runs wherever the application happens to block, perhaps at the very end of its stack.
 * What must not be left half done is begun only after a claim, and takes less than what was claimed: a {@code StackOverflowError}
 * then comes before it, and not in its middle. Thread-safe.
 */
public final class StackHeadroom {
    /** Enough to leave what was begun: some calls, each a few deep. At least 1.5 KiB; about 0.1 &micro;s. */
    public static final int TO_LEAVE = 64;

    /** Enough for the scheduler to add a carrier. At least 14 KiB; about 1 &micro;s. */
    public static final int TO_ADD_CARRIER = 600;

    private StackHeadroom() {}

    /**
     * Uses {@code frames} frames and gives them back.
     *
     * @return nothing of use
     * @throws StackOverflowError if there are not that many
     */
    public static int claim(int frames) {
        return frames <= 0 ? 0 : claim(frames - 1) + frames;
    }
}
