package io.vtagent.record;

import java.util.concurrent.atomic.AtomicLong;

/** What was done to make up for a carrier that is held, until it is given back: what {@link Reliever#begin} gave. Thread-safe. */
final class CarrierRelief {
    /** Who takes it gives it back: the thread of the interval, or whoever finds that it could not. */
    private final AtomicLong begun = new AtomicLong(Reliever.NOTHING);

    private boolean asking;

    void begun(long newBegun) {
        begun.set(newBegun);
    }

    /** Asked for once: {@link Reliever#NOTHING} from then on. */
    long take() {
        return isToBeGivenBack() ? begun.getAndSet(Reliever.NOTHING) : Reliever.NOTHING;
    }

    boolean isToBeGivenBack() {
        return begun.get() != Reliever.NOTHING;
    }

    boolean isMadeUpFor() {
        return Reliever.isMadeUpFor(begun.get());
    }

    /** The thread on the carrier asks for it now: what the scheduler adds meanwhile is added for it. */
    void ask(boolean nowAsking) {
        asking = nowAsking;
    }

    boolean isAsking() {
        return asking;
    }
}
