package io.vtagent.record;

/** Makes up for carriers that are held. What it is called for runs on the virtual thread that holds its carrier. */
public interface Reliever {
    /** Nothing is made up for. */
    Reliever NONE = new Reliever() {
        @Override
        public long begin(Site site) {
            return 0;
        }

        @Override
        public void end(long begun, long heldNanos) {}

        @Override
        public void carrierAdded() {}

        @Override
        public boolean isAsking(Thread thread) {
            return false;
        }
    };

    /** A pin at {@code site} begins: what {@link #end} is to be given, 0 if nothing was done. Must not block or throw. */
    long begin(Site site);

    /** The pin has ended, after {@code heldNanos}. Must not block or throw. */
    void end(long begun, long heldNanos);

    /** The scheduler has added a carrier because it was asked to. Must not block or throw. */
    void carrierAdded();

    /** Whether {@code thread}, a platform thread, asks the scheduler on behalf of others. */
    boolean isAsking(Thread thread);
}
