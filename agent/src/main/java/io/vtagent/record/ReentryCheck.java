package io.vtagent.record;

/**
 * Tells an entry of a monitor that its thread owns already, which is no wait. To ask the JVM takes as long as a time stamp, and where threads
 * contend it takes the monitor's cache line from the one that has it; most threads that find a monitor inflated do not own it. So it is asked
 * about every entry only for monitors of a class of which one was seen to be entered again, or which is hardly known yet, and otherwise
 * about one of {@link #SELDOM}.
 *
 * <p>What is overlooked counts only if the thread loses its processor within these 50 ns, and when a class begins to be entered again no
 * more than about {@link #SELDOM} entries on each carrier are overlooked. Lock-free: threads may overwrite what another one has just
 * learned, who then learns it later.
 */
final class ReentryCheck {
    /** So many entries of a class's monitors are asked about at first ... */
    static final int FIRST = 64;

    /** ... and then one of so many on each carrier. A power of two. */
    static final int SELDOM = 64;

    private static final byte ALWAYS = -1;

    /** A power of two. What is known of classes that share a place is what makes it be asked more often. */
    private static final int PLACES = 1 << 10;

    /** By class: how many entries were asked about, up to {@link #FIRST}, or {@link #ALWAYS}. */
    private final byte[] asked = new byte[PLACES];

    /** Whether the current thread, on the carrier of {@code slot}, owns {@code monitor} already, as far as it is asked. */
    boolean isReentry(CarrierSlot slot, Object monitor) {
        int place = System.identityHashCode(monitor.getClass()) & (PLACES - 1);
        byte known = asked[place];
        if (known == FIRST && (slot.nextEntry() & (SELDOM - 1)) != 0) {
            return false;
        }
        boolean owned = Thread.holdsLock(monitor);
        if (owned) {
            asked[place] = ALWAYS;
        } else if (known != ALWAYS && known != FIRST) {
            asked[place] = (byte) (known + 1);
        }
        return owned;
    }
}
