package io.vtagent.usage;

import io.vtagent.pin.PinSite;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Code that computed on carriers for long, with the totals of that. Thread-safe; the counters only
 * grow.
 */
public final class BusySite {
    private final String site;
    private final String caller;
    private final List<String> stack;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();

    BusySite(String site, String caller, List<String> stack) {
        this.site = site;
        this.caller = caller;
        this.stack = stack;
    }

    /** Counts a spell of computing that was first sampled here. */
    public void addSpell() {
        count.incrementAndGet();
    }

    /** Adds carrier time of a thread that was here in the newest sample. */
    void addNanos(long moreNanos) {
        nanos.addAndGet(moreNanos);
    }

    /** Records that a spell that was sampled here has lasted for at least {@code lastedNanos}. */
    void lasted(long lastedNanos) {
        longestNanos.accumulateAndGet(lastedNanos, Math::max);
    }

    /**
     * Returns the innermost frame that is not the JDK's, as {@code class.method:line}, or {@link
     * PinSite#UNATTRIBUTED} or {@link PinSite#OTHER}.
     */
    public String site() {
        return site;
    }

    /** Returns the caller, as {@link PinSite#caller()} does. */
    public String caller() {
        return caller;
    }

    /** Returns the frames of the first sample, the innermost first; empty if there are none. */
    public List<String> stack() {
        return stack;
    }

    /** Returns the number of spells that were first sampled here. */
    public long count() {
        return count.get();
    }

    /** Returns for how long carriers were busy here, until now. */
    public long nanos() {
        return nanos.get();
    }

    /** Returns how long the longest spell that was sampled here lasted at least. */
    public long longestNanos() {
        return longestNanos.get();
    }
}
