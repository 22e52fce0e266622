package io.vtagent.sampler;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.site.Snapshot;
import io.vtagent.usage.StackBudget;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where a sampled thread blocks. Its stack shows that, and the site, and is read while
 * the budget lasts. The JVM reports at less cost whether the thread is in native code. For the
 * sampler's thread.
 */
final class SampleClassifier {
    private final StackBudget budget;

    /** Whether the thread had resumed before its stack was read. */
    private boolean resumed;

    private HotSpot.Moment moment = HotSpot.Moment.UNKNOWN;

    SampleClassifier(StackBudget budget) {
        this.budget = budget;
    }

    /**
     * Returns the stack of the sampled thread; null if it is known already or the budget is spent.
     * If the thread has resumed, it may be the stack of what it did next.
     */
    @Nullable Snapshot stack(CarrierSample sample, @Nullable SampledPin earlier) {
        resumed = false;
        moment = HotSpot.Moment.UNKNOWN;
        return isStackKnown(earlier, sample) || !budget.isLeft()
                ? null
                : budget.spend(() -> Snapshot.of(sample.thread(), () -> askJvm(sample)));
    }

    private static boolean isStackKnown(@Nullable SampledPin earlier, CarrierSample sample) {
        return earlier != null && earlier.stack() != null && isSameSleep(earlier, sample);
    }

    private static boolean isSameSleep(SampledPin earlier, CarrierSample sample) {
        return earlier.newestSleepId() == sample.sleepId().getAsLong();
    }

    /**
     * Returns {@code stack}, which {@link #stack} returned for the same sample; null if it is the
     * stack of what the thread did next.
     */
    @Nullable Snapshot unlessResumed(@Nullable Snapshot stack) {
        return stack == null || stack.frames().isEmpty() || resumed ? null : stack;
    }

    /**
     * Returns the place where the thread blocks.
     *
     * @param stack the stack, or null if it is not known
     */
    BlockingState state(
            CarrierSample sample, @Nullable SampledPin earlier, @Nullable Snapshot stack) {
        if (stack == null
                && earlier != null
                && !sample.entering()
                && isSameSleep(earlier, sample)) {
            BlockingState known = earlier.state();
            if (known.isSettled()) {
                return known;
            }
            askJvm(sample); // the JVM may not have known it before, or may not have been asked
            return known.refinedBy(moment);
        }
        if (stack == null && !resumed) {
            askJvm(sample);
        }
        BlockingState state =
                stack == null
                        ? BlockingState.UNKNOWN
                        : budget.spend(() -> BlockingState.in(stack, sample.entering()));
        return state.refinedBy(moment);
    }

    /**
     * Asks the JVM where the thread is. The answer belongs to the sampled sleep if that has not
     * ended afterwards.
     */
    private void askJvm(CarrierSample sample) {
        resumed = !sample.isStillBlocked().getAsBoolean();
        if (!resumed && !sample.entering()) {
            HotSpot.Moment answer = sample.moment().get();
            moment = sample.isStillBlocked().getAsBoolean() ? answer : HotSpot.Moment.UNKNOWN;
        }
    }
}
