package io.vtagent.site;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of results about stacks, by their {@link StackFingerprint}. Its size is fixed, so a new
 * entry may replace an old one. Thread-safe, without locks, so that hooks may use it.
 */
public final class StackCache<T> {
    private record Known<T>(long fingerprint, T found) {}

    private final AtomicReferenceArray<@Nullable Known<T>> known;

    /**
     * @param size the maximum number of entries, a power of two
     */
    public StackCache(int size) {
        known = new AtomicReferenceArray<>(size);
    }

    /** Loads the classes that a hook would otherwise have to load. For a thread of the agent. */
    public static void warmUp() {
        StackCache<String> thrownAway = new StackCache<>(2);
        thrownAway.put(1, "");
        String unused = thrownAway.get(1);
    }

    /** Returns the result for the stack, or null if there is none or it was replaced. */
    public @Nullable T get(long fingerprint) {
        Known<T> candidate = known.get(slot(fingerprint));
        return candidate != null && candidate.fingerprint == fingerprint ? candidate.found : null;
    }

    public void put(long fingerprint, T found) {
        known.lazySet(slot(fingerprint), new Known<>(fingerprint, found));
    }

    private int slot(long fingerprint) {
        return (int) (fingerprint >>> 17) & (known.length() - 1);
    }
}
