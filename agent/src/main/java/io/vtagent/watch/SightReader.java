package io.vtagent.watch;

import io.vtagent.vm.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a carrier that is seen asleep is asleep in. Its stack tells that, and where; as long as the budget lasts. Whether that is native
 * code the JVM tells for less. For the one thread that looks.
 */
final class SightReader {
    private final SnapshotBudget budget;
    /** Whether the thread had gone on by the time at which its stack was taken. */
    private boolean wentOn;

    private boolean isStateKnown;
    private boolean inNativeCode;

    SightReader(SnapshotBudget budget) {
        this.budget = budget;
    }

    /** The stack of what is seen, if it is not known yet and may be read, unless it has gone on; perhaps that of what it does next. */
    @Nullable
    Snapshot stack(Sight sight, @Nullable SampledPin earlier) {
        wentOn = false;
        isStateKnown = false;
        return isStackKnown(earlier, sight) || !budget.isLeft()
                ? null
                : budget.spend(() -> Snapshot.of(sight.thread(), () -> ask(sight)));
    }

    private static boolean isStackKnown(@Nullable SampledPin earlier, Sight sight) {
        return earlier != null && earlier.stack() != null && isSameNap(earlier, sight);
    }

    private static boolean isSameNap(SampledPin earlier, Sight sight) {
        return earlier.newestNap() == sight.nap().getAsLong();
    }

    /** What {@link #stack} has given for the same sight, unless it is the stack of what the thread did next. */
    @Nullable
    Snapshot unlessItWentOn(@Nullable Snapshot stack) {
        return stack == null || stack.frames().isEmpty() || wentOn ? null : stack;
    }

    /** @param stack if it is known by now */
    Sleep sleep(Sight sight, @Nullable SampledPin earlier, @Nullable Snapshot stack) {
        if (stack == null && earlier != null && !sight.entering() && isSameNap(earlier, sight)) {
            return earlier.sleep();
        }
        if (stack == null && !wentOn) {
            ask(sight);
        }
        Sleep sleep = stack == null ? Sleep.UNKNOWN : budget.spend(() -> Sleep.in(stack, sight.entering()));
        return isStateKnown ? sleep.told(inNativeCode) : sleep;
    }

    /** What the JVM tells is of the same sleep if that is not over then. */
    private void ask(Sight sight) {
        wentOn = !sight.isThereStill().getAsBoolean();
        if (!wentOn && !sight.entering()) {
            inNativeCode = sight.isInNativeCode().getAsBoolean();
            isStateKnown = sight.isThereStill().getAsBoolean();
        }
    }
}
