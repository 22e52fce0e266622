package io.vtagent.pin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a pin.
 *
 * @param compensated whether the scheduler or relief compensated for the held carrier
 */
public record PinKey(PinKind kind, PinReason reason, boolean compensated) {
    private static final int REASONS = PinReason.values().length;

    /** The number of combinations. */
    public static final int COUNT = PinKind.values().length * REASONS * 2;

    private static final List<PinKey> BY_INDEX = keys();

    /** Returns the key of which {@link #index} returns {@code index}. */
    public static PinKey at(int index) {
        return BY_INDEX.get(index);
    }

    /** Returns the index of a key, from 0 to {@link #COUNT}, exclusively. */
    public static int index(PinKind kind, PinReason reason, boolean compensated) {
        return (kind.ordinal() * REASONS + reason.ordinal()) * 2 + (compensated ? 1 : 0);
    }

    /**
     * Returns the keys that usually occur.
     *
     * @param monitorsPin whether a thread that holds a monitor cannot unmount in this JVM
     */
    public static List<PinKey> expected(boolean monitorsPin) {
        List<PinKey> keys = new ArrayList<>();
        for (PinReason reason : PinReason.values()) {
            if (reason == PinReason.NONE) {
                continue;
            }
            boolean monitor = reason == PinReason.MONITOR;
            if (!monitor || monitorsPin) {
                keys.add(new PinKey(PinKind.PARK, reason, false));
            }
            if (monitor ? monitorsPin : !monitorsPin && reason != PinReason.CRITICAL_SECTION) {
                keys.add(new PinKey(PinKind.WAIT, reason, false));
            }
        }
        if (monitorsPin) {
            keys.add(new PinKey(PinKind.WAIT, PinReason.MONITOR, true));
            keys.add(new PinKey(PinKind.ENTER, PinReason.MONITOR, false));
        }
        keys.add(new PinKey(PinKind.IO, PinReason.NONE, false));
        keys.add(new PinKey(PinKind.IO, PinReason.NONE, true));
        keys.add(new PinKey(PinKind.CLASS_INIT, PinReason.CLASS_INIT, false));
        keys.add(new PinKey(PinKind.NATIVE, PinReason.NONE, false));
        keys.add(new PinKey(PinKind.JVM, PinReason.NONE, false));
        return keys;
    }

    /** Equivalent to a record's own method, which takes long the first time. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PinKey key
                && kind == key.kind
                && reason == key.reason
                && compensated == key.compensated;
    }

    @Override
    public int hashCode() {
        return index(kind, reason, compensated);
    }

    private static List<PinKey> keys() {
        List<PinKey> keys = new ArrayList<>();
        for (PinKind kind : PinKind.values()) {
            for (PinReason reason : PinReason.values()) {
                keys.add(new PinKey(kind, reason, false));
                keys.add(new PinKey(kind, reason, true));
            }
        }
        return keys;
    }
}
