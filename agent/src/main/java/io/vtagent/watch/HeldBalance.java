package io.vtagent.watch;

/**
 * Whether, of late, all carriers have been held for half of the time or more. It forgets: what counts is at most so long a time of either.
 * For one thread.
 */
final class HeldBalance {
    private final long mostNanos;
    /** By how much longer all were held than not. */
    private long balanceNanos;

    private long sinceNanos;

    /** @param mostNanos by how much longer all may count as held than not, and the other way round */
    HeldBalance(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    /** Forgets all that was before {@code nowNanos}. */
    void begin(long nowNanos) {
        balanceNanos = 0;
        sinceNanos = nowNanos;
    }

    /** All were held for {@code nanos}. */
    void held(long nanos) {
        balanceNanos = Math.min(balanceNanos + nanos, mostNanos);
    }

    /**
     * Some carrier was free for {@code nanos}, until {@code nowNanos}.
     *
     * @return whether that makes it so much longer than all were held that it {@link #begin begins} anew
     */
    boolean free(long nanos, long nowNanos) {
        balanceNanos -= nanos;
        boolean mostlyFree = balanceNanos < -mostNanos;
        if (mostlyFree) {
            begin(nowNanos);
        }
        return mostlyFree;
    }

    /** Whether all are mostly held, and have been for {@code nanos}. */
    boolean isMostlyHeldFor(long nanos, long nowNanos) {
        return balanceNanos >= 0 && nowNanos - sinceNanos >= nanos;
    }
}
