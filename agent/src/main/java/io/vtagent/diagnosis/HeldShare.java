package io.vtagent.diagnosis;

/**
 * Tracks whether all carriers have recently been held for at least half of the time. It forgets:
 * the balance of held and free time is limited in both directions. For one thread.
 */
final class HeldShare {
    private final long mostNanos;

    /** The time for which all carriers were held, less the time for which they were not. */
    private long balanceNanos;

    private long sinceNanos;

    /**
     * @param mostNanos the limit of the balance: how much longer all carriers may count as held
     *     than not, and the other way round
     */
    HeldShare(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    /** Forgets everything before {@code nowNanos}. */
    void begin(long nowNanos) {
        balanceNanos = 0;
        sinceNanos = nowNanos;
    }

    /** Adds {@code nanos} in which all carriers were held. */
    void held(long nanos) {
        balanceNanos = Math.min(balanceNanos + nanos, mostNanos);
    }

    /**
     * Adds {@code nanos}, until {@code nowNanos}, in which some carrier was free.
     *
     * @return whether free time exceeds held time by more than the limit, so that this object
     *     {@link #begin begins} anew
     */
    boolean free(long nanos, long nowNanos) {
        balanceNanos -= nanos;
        boolean mostlyFree = balanceNanos < -mostNanos;
        if (mostlyFree) {
            begin(nowNanos);
        }
        return mostlyFree;
    }

    /** Returns whether all carriers are mostly held, and have been for {@code nanos}. */
    boolean isMostlyHeldFor(long nanos, long nowNanos) {
        return balanceNanos >= 0 && nowNanos - sinceNanos >= nanos;
    }
}
