package io.vtagent.record;

/**
 * Tells an entry of a monitor that its thread owns already, which is no wait. To ask the JVM takes as long as a time stamp, and where
 * threads contend it takes the monitor's cache line from the one that has it; most threads that find a monitor locked or inflated do
 * not own it. So each entry is asked about only until some monitors of that class were entered, or once one of them was entered again;
 * otherwise one of {@link #SELDOM} is.
 *
 * <p>When owners begin to enter monitors of a class again, about {@link #SELDOM} such entries are overlooked, on average and of all
 * carriers together. Such an entry takes some 50 ns, and counts only if its thread loses the processor in it. Lock-free: threads
 * may overwrite what another one has just learned, who then learns it later.
 */
final class ReentryCheck {
    /** So many entries of a class's monitors are asked about at first ... */
    static final int FIRST = 64;

    /** ... and then one of so many, a power of two. */
    static final int SELDOM = 64;

    private static final int SELDOM_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(SELDOM);

    private static final byte ALWAYS = -1;

    /** A power of two. Classes that share a place are one class here. */
    private static final int PLACES = 1 << 10;

    /** Multiples of it, as 32 bits, are spread evenly, so that no rhythm of the application's entries is missed (Knuth's multiplicative hashing). */
    private static final int SPREAD = 0x9E3779B9;

    /** By class: how many entries were asked about, up to {@link #FIRST}, or {@link #ALWAYS}. Hardly ever written to, since all carriers read it. */
    private final byte[] known = new byte[PLACES];

    /** Whether the current thread, on the carrier of {@code slot}, owns {@code monitor} already, as far as it is asked. */
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
