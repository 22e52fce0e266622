package io.vtagent.watch;

import io.vtagent.record.PinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Which of the carriers that a look has seen asleep wait for a class that another thread initializes. For the one thread that looks. */
final class AwaitedClasses {
    /** For so long others are taken to do what the last one did of which it is known. */
    private static final long SAME_NANOS = 1_000_000_000;

    private final RunningInitializers initializers;
    private final SnapshotBudget budget;
    private boolean lastWaited;
    private long lastNanos;

    AwaitedClasses(RunningInitializers initializers, SnapshotBudget budget) {
        this.initializers = initializers;
        this.budget = budget;
    }

    /** {@code pin} has ended, which tells more of it. */
    void ended(SampledPin pin, long nowNanos) {
        if (pin.stack() != null && !pin.entering() && !pin.isInNativeCode()) {
            lastNanos = nowNanos;
            lastWaited = pin.over().kind() == PinKind.CLASS_INIT;
        }
    }

    /**
     * Marks those in {@code pins}, which are by carrier. What is new and waits in the JVM, nobody has read where, does what the last one did of
     * which it is known: of many, as large a part is told to wait for a class as does.
     *
     * @param wasOpen whether a pin has been seen that may be such a wait, and nothing had told yet, at the look before
     */
    void find(Map<Thread, SampledPin> pins, Predicate<SampledPin> wasOpen, long nowNanos) {
        findByStack(pins, wasOpen, nowNanos);
        if (lastWaited && nowNanos - lastNanos < SAME_NANOS) {
            pins.replaceAll((carrier, pin) ->
                    pin.isNew() && pin.isUnknownInJvm() ? pin.in(pin.sleep().forSomeClass()) : pin);
        }
    }

    /** Stacks that are wanted come first. */
    private void findByStack(Map<Thread, SampledPin> pins, Predicate<SampledPin> wasOpen, long nowNanos) {
        List<SampledPin> open = new ArrayList<>();
        for (SampledPin pin : pins.values()) {
            if (isOpen(pin)) {
                open.add(pin);
            }
        }
        if (open.isEmpty()) {
            initializers.forget();
            return;
        }
        if (pins.values().stream().anyMatch(pin -> pin.stack() == null)) {
            return;
        }
        boolean isNew = !open.stream().allMatch(wasOpen);
        if (budget.isLeft() && budget.spend(() -> initializers.searchIfDue(isNew, nowNanos))) {
            for (SampledPin pin : open) {
                Sleep sleep = pin.sleep().whileOthersInitialize(initializers.without(pin.thread()));
                pins.put(pin.carrier(), pin.in(sleep));
            }
        }
    }

    static boolean isOpen(SampledPin pin) {
        return pin.sleep().isOpen() && !pin.entering();
    }
}
