package io.vtagent.record;

import io.vtagent.vm.PinnedStack;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The pins of a site that have ended. Thread-safe; the counters only grow. */
public final class Site {
    /** That no pin of a site has ended. */
    public static final long UNKNOWN = -1;

    /** How many pins the usual duration remembers. */
    private static final int MEMORY = 8;

    private final PinSite key;
    private final PinReason reason;
    private volatile @Nullable PinnedStack stack;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong usualNanos = new AtomicLong(UNKNOWN);

    Site(PinSite key, PinReason reason, @Nullable PinnedStack stack) {
        this.key = key;
        this.reason = reason;
        this.stack = stack;
    }

    void add(long durationNanos) {
        // nothing here needs memory, not even a lambda to be linked: or it would count here in part
        nanos.addAndGet(durationNanos);
        long longest = longestNanos.get();
        while (durationNanos > longest && !longestNanos.compareAndSet(longest, durationNanos)) {
            longest = longestNanos.get();
        }
        count.incrementAndGet();
    }

    /** A stack of this site may tell the class that the first one did not: not all who notice a pin know it. */
    void learnFrom(PinnedStack another) {
        PinnedStack first = stack;
        if (first != null && first.monitorClass() == null && another.monitorClass() != null) {
            stack = first.withMonitor(another.monitorClass());
        }
    }

    /** A pin of this site has ended; unlike {@link #add} also one that is too short to count here. */
    void ended(long durationNanos) {
        long before = usualNanos.getPlain();
        usualNanos.lazySet(before == UNKNOWN ? durationNanos : before + (durationNanos - before) / MEMORY);
    }

    /** A moving mean of the durations of all pins, in nanoseconds, or {@link #UNKNOWN}. */
    public long usualNanos() {
        return usualNanos.get();
    }

    public PinSite key() {
        return key;
    }

    /** The reason of the first pin of this site. */
    public PinReason reason() {
        return reason;
    }

    /** The reason of a pin of this site, of which the JVM said {@code told}: the stack may tell more, but not where a site stands for many. */
    PinReason refine(PinReason told) {
        return stack == null ? told : reason;
    }

    /** The stack of the first pin of this site, with the monitor's class of the first that tells it; null for the sites that stand for many. */
    public @Nullable PinnedStack stack() {
        return stack;
    }

    public long count() {
        return count.get();
    }

    public long nanos() {
        return nanos.get();
    }

    public long longestNanos() {
        return longestNanos.get();
    }
}
