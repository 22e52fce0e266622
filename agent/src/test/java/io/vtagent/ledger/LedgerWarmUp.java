package io.vtagent.ledger;

import io.vtagent.scheduler.OwnScheduler;

/** Makes a ledger ready to read stacks, as the agent does before the first hook is called. */
public final class LedgerWarmUp {
    private LedgerWarmUp() {}

    /** {@code ledger}, warmed up. */
    public static Ledger warmUp(Ledger ledger) {
        try (OwnScheduler scheduler = new OwnScheduler()) {
            ledger.warmUp(scheduler);
        }
        return ledger;
    }
}
