package io.vtagent.record;

/** Makes up for carriers that are held. Unless it says otherwise, a method is called on the virtual thread that holds its carrier. */
public interface Reliever {
    /** What {@link #begin} gives if nothing was done that would have to be given back. */
    long NOTHING = 0;

    /** Nobody has taken the time: the thread entered a monitor and need not wait for it, so that it was no pin after all. */
    long UNTIMED = 0;

    /** Nothing is made up for. */
    Reliever NONE = new Reliever() {
        @Override
        public boolean wants(Site site) {
            return false;
        }

        @Override
        public long begin(Site site) {
            return NOTHING;
        }

        @Override
        public void end(long begun, long heldNanos) {}

        @Override
        public void unmounted() {}

        @Override
        public void carrierAdded() {}

        @Override
        public void carrierMade(Thread maker) {}
    };

    /** Loads and links what the others need. For a thread of the agent. */
    default void warmUp() {}

    /** Whether {@link #begin} would do anything for a pin at {@code site}. Must not block or throw. */
    default boolean wants(Site site) {
        return true;
    }

    /**
     * A pin at {@code site} begins. Must not block or throw.
     *
     * @return what {@link #end} is to be given: {@link #NOTHING}; a positive number if the pin is made up for; a negative one if it is
     *     not, and there is something to be given back nevertheless
     */
    long begin(Site site);

    /** Whether the pin for which {@link #begin} gave {@code begun} is made up for. */
    static boolean isMadeUpFor(long begun) {
        return begun > 0;
    }

    /**
     * A pin has ended. Must not block or throw; if it does throw, nothing was given back.
     *
     * @param begun what {@link #begin} gave
     * @param heldNanos how long it was, or {@link #UNTIMED}
     */
    void end(long begun, long heldNanos);

    /** A virtual thread has left the current thread, a carrier, which may be put to sleep here. Must not throw. */
    void unmounted();

    /** The scheduler has added a carrier because {@link #begin} asked it to. Must not block or throw. */
    void carrierAdded();

    /** A carrier was made, and is about to be started, by {@code maker}, a platform thread. Must not block or throw. */
    void carrierMade(Thread maker);
}
