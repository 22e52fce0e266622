package io.vtagent.pin;

import java.util.concurrent.atomic.AtomicLong;

/** Counts samples. Thread-safe; the counters only grow. Adding allocates nothing. */
public final class SampleCounts {
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong seenNanos = new AtomicLong();

    /** Adds those of a pin. */
    public void add(Samples more) {
        count.addAndGet(more.count());
        long longest = seenNanos.get();
        while (more.seenNanos() > longest && !seenNanos.compareAndSet(longest, more.seenNanos())) {
            longest = seenNanos.get();
        }
        pins.addAndGet(more.pins());
    }

    /** Returns the counts so far. */
    public Samples get() {
        return new Samples(pins.get(), count.get(), seenNanos.get());
    }
}
