package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.vm.CarrierPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices when every carrier is held while virtual threads wait for one, and says why if that lasts. A period of that goes on over moments
 * in which a carrier is free, which do not count. {@link #look} is for one thread, the rest for any.
 */
public final class Starvation {
    /** A moment in which a carrier is free between two threads does not end a period. */
    private static final long LONGEST_GAP_NANOS = 300_000_000;

    /** A diagnosis that fails, say for want of memory, is made again after this. */
    private static final long RETRY_NANOS = 500_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final CarrierPool pool;
    private volatile long diagnoseAfterNanos;
    private final int stackDepth;
    private final BooleanSupplier relieved;
    private final Mounts mounts;

    private boolean starved;
    private boolean allHeld;
    private boolean diagnosed;
    private boolean stuck;
    private long beganNanos;
    private long lastSeenNanos;
    private long diagnosedNanos;
    /** Of the period, without the moments in which a carrier was free. */
    private long heldNanos;

    private final HeldBalance balance = new HeldBalance(LONGEST_GAP_NANOS);

    /** No diagnosis is made before. */
    private long notBeforeNanos;

    private volatile long periods;
    private volatile long totalNanos;
    private volatile @Nullable Diagnosis current;
    private volatile List<Past> past = List.of();

    /** Of so many periods that are over the diagnosis is kept. */
    static final int MOST_PAST = 10;

    /**
     * A period that is over, and was diagnosed.
     *
     * @param beganNanos when, as {@link System#nanoTime}
     * @param lastedNanos from the first look that found all held to the last one, with the moments in which a carrier was free
     */
    public record Past(long beganNanos, long lastedNanos, Diagnosis diagnosis) {}

    /**
     * A period in which nothing moves, at one look.
     *
     * @param verdict why
     * @param allHeld whether every carrier is held at this look, and work is queued
     * @param changes how often, since the agent began, a carrier has taken up another thread while all were held
     */
    public record Stuck(String verdict, boolean allHeld, long changes) {}

    /**
     * @param diagnoseAfterNanos how long it lasts before it is diagnosed
     * @param relieved whether somebody adds carriers
     */
    Starvation(CarrierPool pool, long diagnoseAfterNanos, int stackDepth, BooleanSupplier relieved) {
        this.pool = pool;
        this.diagnoseAfterNanos = diagnoseAfterNanos;
        this.stackDepth = stackDepth;
        this.relieved = relieved;
        mounts = new Mounts(pool);
    }

    /** From now on diagnoses what lasts for so long. */
    public void diagnoseAfter(long nanos) {
        diagnoseAfterNanos = nanos;
    }

    /** Periods so far, with the one in progress. */
    public long periods() {
        return periods;
    }

    /** For how long all carriers were held in them, in nanoseconds, up to the newest look. */
    public long nanos() {
        return totalNanos;
    }

    /** Of the period in progress, if it has been diagnosed. */
    public @Nullable Diagnosis current() {
        return current;
    }

    /** The periods that are over and were diagnosed, the newest first; at most {@link #MOST_PAST}. */
    public List<Past> past() {
        return past;
    }

    /** The period in progress, if nothing has moved in it for as long as it takes to be diagnosed. For the thread that looks. */
    public @Nullable Stuck stuck() {
        Diagnosis diagnosis = current;
        return stuck && diagnosis != null ? new Stuck(diagnosis.verdict(), allHeld, mounts.changes()) : null;
    }

    /**
     * @param elapsedNanos the time since the look before
     * @param firstNanos what counts of it for what was not so at that one
     * @param held how many of {@code carriers} are held
     * @param idle how many of them sleep without a virtual thread. The scheduler wakes none for what is queued while as many as it aims at
     *     are at work, held or not
     */
    void look(
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
            mounts.look(nowNanos, carriers);
            // what was an overload may have come to a standstill since
            boolean standsStill = !stuck && nowNanos - mounts.newestNanos() >= diagnoseAfterNanos;
            boolean overload = !diagnosed && balance.isMostlyHeldFor(diagnoseAfterNanos, nowNanos);
            boolean due = standsStill || overload;
            if (due && nowNanos - notBeforeNanos >= 0) {
                notBeforeNanos = nowNanos + RETRY_NANOS;
                diagnose(nowNanos, active.get());
            }
        } else if (starved && nowNanos - lastSeenNanos > LONGEST_GAP_NANOS) {
            end();
        }
    }

    /**
     * Counts {@code nanos}, since the look before, for what this one finds: on average that is right, though looks come oftener once something is
     * held.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void count(long nanos, long nowNanos) {
        if (allHeld) {
            totalNanos += nanos;
            heldNanos += nanos;
            balance.held(nanos);
        } else if (balance.free(nanos, nowNanos)) {
            boolean moved = mounts.newestNanos() - diagnosedNanos > 0;
            stuck &= !moved || relieved.getAsBoolean(); // whoever adds carriers has them move, and be free
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void begin(long nowNanos) {
        starved = true;
        diagnosed = false;
        stuck = false;
        beganNanos = nowNanos;
        heldNanos = 0;
        balance.begin(nowNanos);
        notBeforeNanos = nowNanos;
        mounts.begin(nowNanos);
        periods++;
    }

    private void diagnose(long nowNanos, List<ActivePin> active) {
        int moved = mounts.changedAfter(nowNanos - diagnoseAfterNanos / 2);
        Diagnosis diagnosis =
                new DiagnosisBuilder(pool, active, stackDepth).make(heldNanos, moved, relieved.getAsBoolean());
        if (moved == 0 ? diagnosis.carriers() < pool.parallelism() : diagnosis.carriers() == 0) {
            return; // some have gone on while they were asked: it is made again
        }
        diagnosed = true;
        diagnosedNanos = nowNanos;
        stuck = moved == 0;
        current = diagnosis;
        notBeforeNanos = nowNanos;
        String held = seconds(heldNanos);
        String of = seconds(nowNanos - beganNanos);
        AgentLog.error("every carrier has been held for " + held + (held.equals(of) ? "" : " of " + of)
                + " with work queued. " + diagnosis.inBrief());
    }

    private void end() {
        long lastedNanos = lastSeenNanos - beganNanos;
        Diagnosis over = current;
        List<Past> pastNow = over == null ? past : pastWith(new Past(beganNanos, lastedNanos, over));
        String line = diagnosed ? "carriers are free again; they were all held for " + seconds(heldNanos) : "";
        // from here on nothing needs memory, or the period would end in parts
        starved = false;
        past = pastNow;
        current = null;
        if (!line.isEmpty()) {
            AgentLog.error(line);
        }
    }

    private List<Past> pastWith(Past newest) {
        List<Past> all = new ArrayList<>(past);
        all.addFirst(newest);
        return List.copyOf(all.subList(0, Math.min(all.size(), MOST_PAST)));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
