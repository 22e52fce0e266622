package io.vtagent.record;

import java.util.concurrent.atomic.AtomicLong;

/** What was done to make up for a carrier that is held, until it is given back: what {@link Reliever#begin} gave. Thread-safe. */
final class CarrierRelief {
    /** Who takes it gives it back: the thread of the interval, or whoever finds that it could not. */
    private final AtomicLong begun = new AtomicLong(Reliever.NOTHING);

    private boolean asking;
    private boolean carrierMade;

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

    /** The thread on the carrier asks for it now: a carrier that is made meanwhile is made for it. */
    void ask(boolean nowAsking) {
        asking = nowAsking;
    }

    void carrierMade() {
        carrierMade |= asking;
    }

    /** Whether one was made since this was asked last. */
    boolean takeCarrierMade() {
        boolean made = carrierMade;
        carrierMade = false;
        return made;
    }
}
