package io.vtagent.hook;

/**
 * Detects monitor entries by a thread that already owns the monitor, which are not waits. Asking
 * the JVM takes as long as a time stamp, and under contention it takes the monitor's cache line
 * from the owner. Most threads that find a monitor locked or inflated do not own it. So the entries
 * of a class's monitors are all checked only until {@link #FIRST} of them were, or after one was a
 * re-entry; otherwise one in {@link #SELDOM} is checked.
 *
 * <p>When threads start to re-enter monitors of a class, about {@link #SELDOM} re-entries are
 * missed, on average and over all carriers. Such an entry takes about 50 ns, and is counted only if
 * its thread loses its CPU in it. Lock-free: a thread may overwrite what another thread has just
 * learned, and that is then learned later.
 */
public final class ReentryCheck {
    /** The number of entries of a class's monitors that are all checked at first. */
    public static final int FIRST = 64;

    /** One in this many entries is checked after that. A power of two. */
    public static final int SELDOM = 64;

    private static final int SELDOM_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(SELDOM);

    private static final byte ALWAYS = -1;

    /** A power of two. Classes with the same index are treated as one. */
    private static final int PLACES = 1 << 10;

    /**
     * A factor whose 32-bit multiples are evenly spread, so that no pattern of the application's
     * entries is missed (Knuth's multiplicative hashing).
     */
    private static final int SPREAD = 0x9E3779B9;

    /**
     * The number of entries checked per class, up to {@link #FIRST}, or {@link #ALWAYS}. Rarely
     * written, because all carriers read it.
     */
    private final byte[] known = new byte[PLACES];

    /**
     * Returns whether the current thread, on the carrier of {@code slot}, already owns {@code
     * monitor}. Returns false if this entry is not checked.
     */
    boolean isReentry(CarrierSlot slot, Object monitor) {
        int place = System.identityHashCode(monitor.getClass()) & (PLACES - 1);
        byte before = known[place];
        if (before == FIRST && (slot.nextMaybeUnasked() * SPREAD) >>> SELDOM_SHIFT != 0) {
            return false;
        }
        boolean owned = Thread.holdsLock(monitor);
        if (owned && before != ALWAYS) {
            known[place] = ALWAYS;
        } else if (!owned && before >= 0 && before < FIRST) {
            known[place] = (byte) (before + 1);
        }
        return owned;
    }
}
