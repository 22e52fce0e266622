package io.vtagent.diagnosis;

import io.vtagent.log.AgentLog;
import io.vtagent.pin.ActivePin;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.Redefinitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects starvation, in which every carrier is held while virtual threads wait for one, and
 * diagnoses it if it lasts. Moments in which a carrier is free do not end a period, and do not
 * count in it. {@link #sample} is for one thread, the rest for any.
 */
public final class Starvation {
    /** A carrier that is free for a moment between two threads does not end a period. */
    private static final long MAX_GAP_NANOS = 300_000_000;

    private static final long MAX_QUIET_WAIT_NANOS = 2_000_000_000;

    /** A diagnosis that fails, perhaps for lack of memory, is made again after this time. */
    private static final long RETRY_NANOS = 500_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final CarrierPool pool;
    private volatile long diagnoseAfterNanos;
    private final int stackDepth;
    private final BooleanSupplier relieved;
    private final MountTracker mounts;

    private boolean starved;
    private boolean allHeld;
    private boolean diagnosed;
    private boolean stuck;

    /** Whether the diagnosis could read no stacks, because classes were redefined. */
    private boolean withoutStacks;

    private long beganNanos;
    private long lastSeenNanos;
    private long diagnosedNanos;

    /** The length of the period without the moments in which a carrier was free. */
    private long heldNanos;

    private final HeldShare balance = new HeldShare(MAX_GAP_NANOS);

    /** No diagnosis is made before this time. */
    private long notBeforeNanos;

    private volatile long periods;
    private volatile long totalNanos;
    private volatile @Nullable Diagnosis current;
    private volatile List<Past> past = List.of();

    /** The diagnoses of at most this many past periods are kept. */
    static final int MAX_PAST = 10;

    /**
     * A period that is over and was diagnosed.
     *
     * @param beganNanos when it began, as {@link System#nanoTime}
     * @param lastedNanos from the first sample that found all carriers held to the last one,
     *     including the moments in which a carrier was free
     */
    public record Past(long beganNanos, long lastedNanos, Diagnosis diagnosis) {}

    /**
     * A period in which the scheduler is stuck, at one sample.
     *
     * @param verdict the reason
     * @param allHeld whether every carrier is held at this sample, and work is queued
     * @param changes how often, since the agent started, a carrier has taken up another thread
     *     while all were held
     */
    public record Stuck(String verdict, boolean allHeld, long changes) {}

    /**
     * @param diagnoseAfterNanos how long a period lasts before it is diagnosed
     * @param relieved whether relief adds carriers
     */
    public Starvation(
            CarrierPool pool, long diagnoseAfterNanos, int stackDepth, BooleanSupplier relieved) {
        this.pool = pool;
        this.diagnoseAfterNanos = diagnoseAfterNanos;
        this.stackDepth = stackDepth;
        this.relieved = relieved;
        mounts = new MountTracker(pool);
    }

    /** Sets how long a period has to last before it is diagnosed. */
    public void diagnoseAfter(long nanos) {
        diagnoseAfterNanos = nanos;
    }

    /** Returns the number of periods so far, including the one in progress. */
    public long periods() {
        return periods;
    }

    /** Returns how long all carriers were held in them, in nanoseconds, up to the last sample. */
    public long nanos() {
        return totalNanos;
    }

    /**
     * Returns the diagnosis of the period in progress; null if there is none or it has not been
     * diagnosed.
     */
    public @Nullable Diagnosis current() {
        return current;
    }

    /**
     * Returns the periods that are over and were diagnosed, the newest first; at most {@link
     * #MAX_PAST}.
     */
    public List<Past> past() {
        return past;
    }

    /**
     * Returns the period in progress if it was diagnosed as stuck; else null. It is no longer stuck
     * when carriers are mostly free and have taken up other threads, unless relief may have caused
     * that. For the thread that samples.
     */
    public @Nullable Stuck stuck() {
        Diagnosis diagnosis = current;
        return stuck && diagnosis != null
                ? new Stuck(diagnosis.verdict(), allHeld, mounts.changes())
                : null;
    }

    /**
     * @param elapsedNanos the time since the last sample
     * @param firstNanos how much of it counts for a state that the last sample did not find
     * @param held how many of {@code carriers} are held
     * @param idle how many of them sleep without a virtual thread and are not woken for queued
     *     work, because as many carriers as the scheduler aims at count as at work, held or not; 0
     *     if it compensates for held carriers and is about to wake one
     */
    public void sample(
            long nowNanos,
            long elapsedNanos,
            long firstNanos,
            List<Thread> carriers,
            int held,
            int idle,
            Supplier<List<ActivePin>> active) {
        // with fewer carriers than it aims at, the scheduler is about to add one
        boolean complete = held > 0 && held >= pool.parallelism();
        boolean allHeldBefore = allHeld;
        allHeld = complete && held + idle >= carriers.size() && pool.isWorkQueued();
        count(allHeld && allHeldBefore ? elapsedNanos : firstNanos, nowNanos);
        if (allHeld) {
            if (!starved) {
                begin(nowNanos);
            }
            lastSeenNanos = nowNanos;
            mounts.sample(nowNanos, carriers);
            // an overload may have become stuck since
            boolean standsStill = !stuck && nowNanos - mounts.newestNanos() >= diagnoseAfterNanos;
            boolean overload = !diagnosed && balance.isMostlyHeldFor(diagnoseAfterNanos, nowNanos);
            boolean due = standsStill || overload || (withoutStacks && !Redefinitions.areRecent());
            if (due && nowNanos - notBeforeNanos >= 0) {
                notBeforeNanos = nowNanos + RETRY_NANOS;
                diagnose(nowNanos, active.get());
            }
        } else if (starved && nowNanos - lastSeenNanos > MAX_GAP_NANOS) {
            end();
        }
    }

    /**
     * Counts {@code nanos}, the time since the last sample, for the state that this sample finds.
     * That is right on average, although samples are more frequent once a carrier is held.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
    private void count(long nanos, long nowNanos) {
        if (allHeld) {
            totalNanos += nanos;
            heldNanos += nanos;
            balance.held(nanos);
        } else if (balance.free(nanos, nowNanos)) {
            boolean moved = mounts.newestNanos() - diagnosedNanos > 0;
            stuck &= !moved || relieved.getAsBoolean(); // relief makes carriers move and be free
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
    private void begin(long nowNanos) {
        starved = true;
        diagnosed = false;
        stuck = false;
        withoutStacks = false;
        beganNanos = nowNanos;
        heldNanos = 0;
        balance.begin(nowNanos);
        notBeforeNanos = nowNanos;
        mounts.begin(nowNanos);
        periods++;
    }

    private void diagnose(long nowNanos, List<ActivePin> active) {
        int moved = mounts.changedAfter(nowNanos - diagnoseAfterNanos / 2);
        Redefinitions.awaitQuiet(MAX_QUIET_WAIT_NANOS);
        withoutStacks = Redefinitions.areRecent(); // and then it is made again
        Diagnosis diagnosis =
                new DiagnosisBuilder(pool, active, stackDepth)
                        .make(heldNanos, moved, relieved.getAsBoolean());
        if (moved == 0 ? diagnosis.carriers() < pool.parallelism() : diagnosis.carriers() == 0) {
            return; // some carriers moved on while they were read: retried
        }
        diagnosed = true;
        diagnosedNanos = nowNanos;
        stuck = moved == 0;
        current = diagnosis;
        notBeforeNanos = nowNanos;
        String held = seconds(heldNanos);
        String of = seconds(nowNanos - beganNanos);
        AgentLog.error(
                "every carrier has been held for "
                        + held
                        + (held.equals(of) ? "" : " of " + of)
                        + " with work queued. "
                        + diagnosis.inBrief());
    }

    private void end() {
        long lastedNanos = lastSeenNanos - beganNanos;
        Diagnosis over = current;
        List<Past> pastNow =
                over == null ? past : pastWith(new Past(beganNanos, lastedNanos, over));
        String line =
                diagnosed
                        ? "carriers are free again; they were all held for " + seconds(heldNanos)
                        : "";
        // these assignments need no memory: a failure between them would end the period in part
        starved = false;
        past = pastNow;
        current = null;
        mounts.end();
        if (!line.isEmpty()) {
            AgentLog.error(line);
        }
    }

    private List<Past> pastWith(Past newest) {
        List<Past> all = new ArrayList<>(past);
        all.addFirst(newest);
        return List.copyOf(all.subList(0, Math.min(all.size(), MAX_PAST)));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
