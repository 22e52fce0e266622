package io.vtagent.exporter.jmx;

import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest single pins. Lock-free, since virtual threads add to it in a hook. */
final class KeptPins implements PinListener {
    /** Enough for a test, and 2 MiB. */
    static final int MAX_PINS = 10_000;

    private final RingBuffer<Kept> newest;

    /**
     * A pin, without the thread, which could not be collected.
     *
     * @param thread its name, null if that is not known
     */
    record Kept(@Nullable String thread, EndedPin pin) {}

    KeptPins(int most) {
        newest = new RingBuffer<>(most);
    }

    /** Loads what a hook needs. */
    static void warmUp() {
        Thread thread = Thread.currentThread();
        new KeptPins(1)
                .ended(
                        new EndedPin(
                                PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true));
    }

    @Override
    public void ended(EndedPin pin) {
        Thread thread = pin.thread();
        newest.add(new Kept(thread == null ? null : thread.getName(), pin.withoutThread()));
    }

    /** Returns the number of pins that have been added. */
    long count() {
        return newest.count();
    }

    /**
     * Returns the pins that are left, except the first {@code before} that were added, the oldest
     * first.
     */
    List<Kept> since(long before) {
        return newest.between(before, newest.count());
    }
}
