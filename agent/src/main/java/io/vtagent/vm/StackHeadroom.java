package io.vtagent.vm;

import java.util.function.IntConsumer;

/**
 * Makes sure that some stack is left. A hook runs wherever the application happens to block, perhaps at the very end of its stack.
 * What must not be left half done is begun only after a claim, and takes less than what was claimed: a {@code StackOverflowError}
 * then comes before it, and not in its middle. Thread-safe.
 *
 * <p>A stack that no cache holds is slow to write to, so a claim does not fill it with frames: see {@link WideFrame}.
 */
public final class StackHeadroom {
    /** Enough for the scheduler to add a carrier, which takes more than anything else that a claim is for. */
    private static final int BYTES = 14 << 10;

    private static final IntConsumer WIDE_FRAME = WideFrame.of(BYTES);

    private StackHeadroom() {}

    /**
     * Makes sure that 14 KiB of stack are left. Some ns as soon as it is compiled, before that about 1 &micro;s.
     *
     * @throws StackOverflowError if less is left; up to a page more than that may be asked for
     */
    public static void claim() {
        WIDE_FRAME.accept(0);
    }
}
