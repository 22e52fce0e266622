package io.vtagent.sampler;

import io.vtagent.kernel.OwnRunDelay;
import io.vtagent.kernel.RunDelay;
import io.vtagent.ledger.Ledger;

/**
 * Detects that the process gets no CPU for long, because of a quota or of other processes. It uses
 * the run queue delay of the sampler's own thread, which sleeps most of the time and so is the last
 * one to wait for a CPU. For the sampler.
 */
final class ProcessorShortage {
    /**
     * The run queue delay that indicates a shortage. If CPUs are merely busy, the kernel runs a
     * thread that mostly sleeps sooner.
     */
    static final long LATE_NANOS = 10_000_000;

    /** The time for which the carriers' delays are watched after the last delay. */
    private static final long LASTS_NANOS = 10_000_000_000L;

    private final Ledger ledger;
    private final OwnRunDelay own = new OwnRunDelay();
    private boolean prepared;
    private boolean known;
    private boolean isShort;
    private long lateAtNanos;

    ProcessorShortage(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Makes the ledger watch the carriers' delays if CPU time is short.
     *
     * @return how long the process got no CPU since the previous sample
     */
    long sample(long nowNanos) {
        long queuedNanos = own.newNanos();
        boolean late = queuedNanos >= LATE_NANOS;
        if (late && !prepared) {
            prepared = true;
            known = RunDelay.prepare();
        }
        if (late) {
            isShort = true;
            lateAtNanos = nowNanos;
        }
        if (isShort && nowNanos - lateAtNanos >= LASTS_NANOS) {
            isShort = false;
            ledger.watchRunDelaysNoMore();
        }
        if (isShort && known) {
            ledger.watchRunDelays();
        }
        return late ? queuedNanos : 0;
    }
}
