package io.vtagent.record;

import io.vtagent.vm.VmPin;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Adds the pins that the JVM's events tell of, but for those that the sensors in the bytecode have noticed: of entries, what is
 * {@link #isLeftToItsClass left to their classes} is not to be given to it.
 */
public final class VmPinRecorder implements Consumer<VmPin> {
    private final Ledger ledger;
    private final boolean monitorsPin;
    private final Predicate<String> isWrapped;

    /**
     * @param monitorsPin whether a thread that holds a monitor cannot unmount in this JVM
     * @param isWrapped whether the class of that name tells the entry of its monitors itself
     */
    public VmPinRecorder(Ledger ledger, boolean monitorsPin, Predicate<String> isWrapped) {
        this.ledger = ledger;
        this.monitorsPin = monitorsPin;
        this.isWrapped = isWrapped;
    }

    @Override
    public void accept(VmPin pin) {
        PinReason reason = PinReason.ofFailedYield(pin.pinned());
        if (!isNoticed(pin, reason)) {
            PinnedThread thread = new PinnedThread(null, pin.threadId(), pin.beganAtNanos() + pin.nanos());
            ledger.add(kindOf(pin), reason, pin.nanos(), thread, pin.stack());
        }
    }

    /** Whether the class of that name tells the entry of its monitors itself. */
    public boolean isWrapped(String className) {
        return isWrapped.test(className);
    }

    /**
     * Whether {@code pin} is an entry that its class has told itself, or else the looks tell: of one that found its monitor free, and lost it
     * to another thread before it had entered it.
     */
    public boolean isLeftToItsClass(VmPin pin) {
        // a method that is still synchronized was not wrapped, whatever became of its class
        return pin.blocked() == VmPin.Blocked.ENTER && isWrapped.test(pin.innermostClass()) && !pin.entersMethod();
    }

    private boolean isNoticed(VmPin pin, PinReason reason) {
        return switch (pin.blocked()) {
            case ENTER -> pin.nanos() < Hooks.SHORTEST_ENTRY_NANOS;
            // the wait sensor counts all waits, or else those with a native frame or an initializer on their stack
            case WAIT -> monitorsPin || reason == PinReason.NATIVE || reason == PinReason.CLASS_INIT;
            case CLASS_INIT -> false;
        };
    }

    private static PinKind kindOf(VmPin pin) {
        return switch (pin.blocked()) {
            case ENTER -> PinKind.ENTER;
            case WAIT -> PinKind.WAIT;
            case CLASS_INIT -> PinKind.CLASS_INIT;
        };
    }
}
