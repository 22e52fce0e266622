package io.vtagent.record;

import java.util.concurrent.atomic.AtomicLong;

/** Counts samples. Thread-safe; the counters only grow. Adding allocates nothing. */
final class SampleCounts {
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong seenNanos = new AtomicLong();

    void add(Samples more) {
        count.addAndGet(more.count());
        long longest = seenNanos.get();
        while (more.seenNanos() > longest && !seenNanos.compareAndSet(longest, more.seenNanos())) {
            longest = seenNanos.get();
        }
        pins.addAndGet(more.pins());
    }

    Samples get() {
        return new Samples(pins.get(), count.get(), seenNanos.get());
    }
}
