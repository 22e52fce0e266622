package io.vtagent.exporter.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The newest elements, up to a maximum. Thread-safe and wait-free. */
final class RingBuffer<T> {
    private final AtomicReferenceArray<@Nullable Numbered<T>> ring;
    private final AtomicLong count = new AtomicLong();

    /**
     * @param number of how many there were before
     */
    private record Numbered<T>(long number, T item) {}

    RingBuffer(int most) {
        ring = new AtomicReferenceArray<>(most);
    }

    void add(T item) {
        long number = count.getAndIncrement();
        ring.set((int) (number % ring.length()), new Numbered<>(number, item));
    }

    /** Returns the number of elements that have been added. */
    long count() {
        return count.get();
    }

    /**
     * Returns the elements that are left of those from the first {@code before} to the {@code
     * end}th that were added, the oldest first.
     */
    List<T> between(long before, long end) {
        List<T> between = new ArrayList<>();
        for (long number = Math.max(before, end - ring.length()); number < end; number++) {
            Numbered<T> numbered = ring.get((int) (number % ring.length()));
            if (numbered != null && numbered.number == number) {
                between.add(numbered.item);
            }
        }
        return between;
    }

    /** Keeps none of those that came after the first {@code before}. They still count. */
    void forget(long before) {
        long end = count.get();
        for (long number = Math.max(before, end - ring.length()); number < end; number++) {
            ring.set((int) (number % ring.length()), null);
        }
    }
}
