package io.vtagent.sampler;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.site.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a carrier that is seen asleep is asleep in. Its stack tells that, and where; as long as the
 * budget lasts. Whether that is native code the JVM tells for less. For the one thread that looks.
 */
final class SampleClassifier {
    private final StackBudget budget;

    /** Whether the thread had gone on by the time at which its stack was taken. */
    private boolean wentOn;

    private HotSpot.Moment moment = HotSpot.Moment.UNKNOWN;

    SampleClassifier(StackBudget budget) {
        this.budget = budget;
    }

    /**
     * The stack of what is seen, if it is not known yet and may be read, unless it has gone on;
     * perhaps that of what it does next.
     */
    @Nullable Snapshot stack(CarrierSample sight, @Nullable SampledPin earlier) {
        wentOn = false;
        moment = HotSpot.Moment.UNKNOWN;
        return isStackKnown(earlier, sight) || !budget.isLeft()
                ? null
                : budget.spend(() -> Snapshot.of(sight.thread(), () -> ask(sight)));
    }

    private static boolean isStackKnown(@Nullable SampledPin earlier, CarrierSample sight) {
        return earlier != null && earlier.stack() != null && isSameNap(earlier, sight);
    }

    private static boolean isSameNap(SampledPin earlier, CarrierSample sight) {
        return earlier.newestNap() == sight.nap().getAsLong();
    }

    /**
     * What {@link #stack} has given for the same sight, unless it is the stack of what the thread
     * did next.
     */
    @Nullable Snapshot unlessItWentOn(@Nullable Snapshot stack) {
        return stack == null || stack.frames().isEmpty() || wentOn ? null : stack;
    }

    /**
     * @param stack if it is known by now
     */
    BlockingState sleep(
            CarrierSample sight, @Nullable SampledPin earlier, @Nullable Snapshot stack) {
        if (stack == null && earlier != null && !sight.entering() && isSameNap(earlier, sight)) {
            BlockingState known = earlier.sleep();
            if (known.isSettled()) {
                return known;
            }
            ask(sight); // the JVM may not have said before, and may not have been asked
            return known.told(moment);
        }
        if (stack == null && !wentOn) {
            ask(sight);
        }
        BlockingState sleep =
                stack == null
                        ? BlockingState.UNKNOWN
                        : budget.spend(() -> BlockingState.in(stack, sight.entering()));
        return sleep.told(moment);
    }

    /** What the JVM tells is of the same sleep if that is not over then. */
    private void ask(CarrierSample sight) {
        wentOn = !sight.isThereStill().getAsBoolean();
        if (!wentOn && !sight.entering()) {
            HotSpot.Moment asked = sight.moment().get();
            moment = sight.isThereStill().getAsBoolean() ? asked : HotSpot.Moment.UNKNOWN;
        }
    }
}
