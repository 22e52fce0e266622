package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.vm.CarrierPool;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices when every carrier is held while virtual threads wait for one, and says why if that lasts. {@link #look} is for one
 * thread, the rest for any.
 */
public final class Starvation {
    /** A moment in which a carrier is free between two threads does not end a period. */
    private static final long LONGEST_GAP_NANOS = 300_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final CarrierPool pool;
    private final long diagnoseAfterNanos;
    private final int stackDepth;

    /** What each carrier carried when half of the time before the diagnosis had passed. */
    private final Map<Thread, Thread> mountedHalfway = new HashMap<>();

    private boolean starved;
    private boolean halfway;
    private boolean diagnosed;
    private long beganNanos;
    private long lastSeenNanos;

    private volatile long periods;
    private long endedNanos;
    private volatile long totalNanos;
    private volatile @Nullable Diagnosis current;
    private volatile @Nullable Diagnosis last;

    /** @param diagnoseAfterNanos how long it lasts before it is diagnosed */
    Starvation(CarrierPool pool, long diagnoseAfterNanos, int stackDepth) {
        this.pool = pool;
        this.diagnoseAfterNanos = diagnoseAfterNanos;
        this.stackDepth = stackDepth;
    }

    /** Periods so far, with the one in progress. */
    public long periods() {
        return periods;
    }

    /** Their sum in nanoseconds, with the one in progress up to now. */
    public long nanos() {
        return totalNanos;
    }

    /** Of the period in progress, if it has been diagnosed. */
    public @Nullable Diagnosis current() {
        return current;
    }

    /** The newest one, even if its period is over. */
    public @Nullable Diagnosis last() {
        return last;
    }

    void look(long nowNanos, List<Thread> carriers, int held, Supplier<List<ActivePin>> active) {
        // with fewer carriers than it aims at, the scheduler is about to add one
        boolean complete = !carriers.isEmpty() && carriers.size() >= pool.parallelism();
        boolean allHeld = complete && held >= carriers.size() && pool.isWorkQueued();
        if (allHeld) {
            if (!starved) {
                begin(nowNanos);
            }
            lastSeenNanos = nowNanos;
            long currentNanos = nowNanos - beganNanos;
            totalNanos = endedNanos + currentNanos;
            if (!halfway && currentNanos >= diagnoseAfterNanos / 2) {
                halfway = true;
                remember(carriers);
            }
            if (!diagnosed && currentNanos >= diagnoseAfterNanos) {
                diagnosed = true;
                diagnose(currentNanos, active.get());
            }
        } else if (starved && nowNanos - lastSeenNanos > LONGEST_GAP_NANOS) {
            end();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void begin(long nowNanos) {
        starved = true;
        halfway = false;
        diagnosed = false;
        beganNanos = nowNanos;
        periods++;
    }

    private void remember(List<Thread> carriers) {
        mountedHalfway.clear();
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null) {
                mountedHalfway.put(carrier, thread);
            }
        }
    }

    private void diagnose(long currentNanos, List<ActivePin> active) {
        int moved = 0;
        for (Map.Entry<Thread, Thread> mounted : mountedHalfway.entrySet()) {
            if (pool.mountedOn(mounted.getKey()) != mounted.getValue()) {
                moved++;
            }
        }
        Diagnosis diagnosis = new Examination(pool, active, stackDepth).make(currentNanos, moved);
        current = diagnosis;
        last = diagnosis;
        AgentLog.error("every carrier has been held for " + seconds(currentNanos) + " with work queued. "
                + diagnosis.inBrief());
    }

    private void end() {
        long lastedNanos = lastSeenNanos - beganNanos;
        starved = false;
        endedNanos += lastedNanos;
        if (diagnosed) {
            AgentLog.error("carriers are free again; they were all held for " + seconds(lastedNanos));
        }
        current = null;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
