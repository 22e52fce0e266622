package io.vtagent.jmx;

import io.vtagent.record.EndedPin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinListener;
import io.vtagent.record.PinReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The newest single pins. Lock-free, since virtual threads add to it in a hook. */
final class KeptPins implements PinListener {
    /** Enough for a test, and 2 MiB. */
    static final int MOST = 10_000;

    private final AtomicReferenceArray<@Nullable Kept> ring;
    private final AtomicLong count = new AtomicLong();

    /**
     * A pin, without the thread, which could not be collected.
     *
     * @param number of how many there were before
     * @param thread its name, null if that is not known
     */
    record Kept(long number, @Nullable String thread, EndedPin pin) {}

    KeptPins(int most) {
        ring = new AtomicReferenceArray<>(most);
    }

    /** Loads what a hook needs. */
    static void warmUp() {
        Thread thread = Thread.currentThread();
        new KeptPins(1).ended(new EndedPin(PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true));
    }

    @Override
    public void ended(EndedPin pin) {
        Thread thread = pin.thread();
        EndedPin alone = new EndedPin(
                pin.kind(),
                pin.reason(),
                pin.compensated(),
                pin.site(),
                pin.nanos(),
                pin.endedAtNanos(),
                null,
                pin.threadId(),
                pin.onItsThread());
        long number = count.getAndIncrement();
        ring.set((int) (number % ring.length()), new Kept(number, thread == null ? null : thread.getName(), alone));
    }

    /** How many there have been. */
    long count() {
        return count.get();
    }

    /** Those that are left of what came after the first {@code before}, the oldest first. */
    List<Kept> since(long before) {
        List<Kept> kept = new ArrayList<>();
        long end = count.get();
        for (long number = Math.max(before, end - ring.length()); number < end; number++) {
            Kept pin = ring.get((int) (number % ring.length()));
            if (pin != null && pin.number == number) {
                kept.add(pin);
            }
        }
        return kept;
    }
}
