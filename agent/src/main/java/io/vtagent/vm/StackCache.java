package io.vtagent.vm;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was found out about stacks, by their {@link StackFingerprint}. Of a fixed size: what is new may replace what is old.
 * Thread-safe, without locks, so that hooks may use it.
 */
public final class StackCache<T> {
    private record Known<T>(long fingerprint, T found) {}

    private final AtomicReferenceArray<@Nullable Known<T>> known;

    /** @param size how many stacks are remembered at most, a power of two */
    public StackCache(int size) {
        known = new AtomicReferenceArray<>(size);
    }

    /** What was found out about the stack, or null if that is not known, or not any more. */
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
