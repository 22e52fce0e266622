package io.vtagent.diagnosis;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.LiveThreads;

/**
 * The number of virtual threads by their state, read from the JDK's own counts whenever it is asked
 * for. No thread is visited, unless {@link LiveThreads#count} has to. Thread-safe.
 */
public final class ThreadCounts {
    private final CarrierPool pool;
    private final ThreadGroupReader threads;

    public ThreadCounts(CarrierPool pool, ThreadGroupReader threads) {
        this.pool = pool;
        this.threads = threads;
    }

    /** Returns the number of those on carriers. */
    public long mounted() {
        return pool.mounted();
    }

    /** Returns the number of those that are ready to run and have no carrier. */
    public long queued() {
        return pool.queued();
    }

    /**
     * Returns the number of the others, which wait for something else than a carrier.
     *
     * @return {@link LiveThreads#UNKNOWN} if the JDK does not count all threads
     */
    public long others() {
        long all = all();
        return all == LiveThreads.UNKNOWN ? all : Math.max(all - mounted() - queued(), 0);
    }

    /** Returns the number of all, or {@link LiveThreads#UNKNOWN}. */
    public long all() {
        LiveThreads live = threads.live();
        long count = live == null ? LiveThreads.UNKNOWN : live.count();
        return count == LiveThreads.UNKNOWN ? count : pool.aliveWithoutExcluded(count);
    }
}
