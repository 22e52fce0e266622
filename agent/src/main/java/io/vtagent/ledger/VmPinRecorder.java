package io.vtagent.ledger;

import io.vtagent.hook.Hooks;
import io.vtagent.jfr.VmPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records the pins that JFR events report, except those that the sensors in the bytecode have
 * recorded. Monitor entries that are {@link #isLeftToItsClass left to their class} must not be
 * passed to it.
 */
public final class VmPinRecorder implements Consumer<VmPin> {
    private final Ledger ledger;
    private final Predicate<String> isWrapped;

    /**
     * @param isWrapped returns whether the class of that name is instrumented and records its
     *     monitor entries itself
     */
    public VmPinRecorder(Ledger ledger, Predicate<String> isWrapped) {
        this.ledger = ledger;
        this.isWrapped = isWrapped;
    }

    @Override
    public void accept(VmPin pin) {
        PinReason reason = PinReason.ofFailedYield(pin.pinned());
        if (!isRecordedByHook(pin, reason)) {
            PinnedThread thread =
                    new PinnedThread(null, pin.threadId(), pin.beganAtNanos() + pin.nanos());
            ledger.add(kindOf(pin), reason, pin.nanos(), thread, pin.stack());
        }
    }

    /**
     * Returns whether the class of that name is instrumented and records its monitor entries
     * itself.
     */
    public boolean isWrapped(String className) {
        return isWrapped.test(className);
    }

    /**
     * Returns whether {@code pin} is a monitor entry that its instrumented class records, or else
     * the sampler does. The sampler records a thread that found the monitor free but lost it to
     * another thread before it had entered.
     */
    public boolean isLeftToItsClass(VmPin pin) {
        // a method that is still synchronized was not wrapped, even if its class was instrumented
        return pin.blocked() == VmPin.Blocked.ENTER
                && isWrapped.test(pin.innermostClass())
                && !pin.entersMethod();
    }

    private boolean isRecordedByHook(VmPin pin, PinReason reason) {
        return switch (pin.blocked()) {
            case ENTER -> pin.nanos() < Hooks.MIN_ENTRY_NANOS;
            // the wait sensor counts all waits, or those with a native frame or initializer on the
            // stack
            case WAIT ->
                    ledger.monitorsPin()
                            || reason == PinReason.NATIVE
                            || reason == PinReason.CLASS_INIT;
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
