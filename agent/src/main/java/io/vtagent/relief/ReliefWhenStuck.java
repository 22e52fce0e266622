package io.vtagent.relief;

import io.vtagent.diagnosis.Starvation.Stuck;
import io.vtagent.log.AgentLog;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.Compensation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds carriers to a stuck scheduler, one at a time, until something moves. The thread that samples
 * the carriers does all of it; the application's threads pay nothing.
 *
 * <p>A held carrier is compensated until it carries something else. Only then is it at work again,
 * and the scheduler is notified. Until then the scheduler wakes the added carriers for queued work,
 * even if the others are held for ever.
 *
 * <p>An added carrier takes up one of the queued threads. If that one is held as well and the
 * scheduler is still stuck, the next carrier is added soon, because any queued thread may be the
 * one that the others wait for. If something has moved since the last carrier was added, the
 * scheduler is not stuck, and the next one has to wait twice as long each time.
 */
public final class ReliefWhenStuck implements ReliefFigures {
    /**
     * While the scheduler stays stuck, all carriers that may be added are added within about this
     * time.
     */
    static final long ALL_WITHIN_NANOS = 500_000_000;

    /**
     * The delay before the next carrier is at first at most this, and at least {@link
     * #MIN_PATIENCE_NANOS}.
     */
    static final long MAX_PATIENCE_NANOS = 20_000_000;

    static final long MIN_PATIENCE_NANOS = 1_000_000;

    /** The number of samples before the next carrier is due. */
    private static final int SAMPLES_UNTIL_DUE = 2;

    private final CarrierPool pool;
    private final Compensation compensation;
    private volatile long stuckAfterNanos;
    private final Consumer<String> log;
    private final List<Compensated> compensated = new ArrayList<>();
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    private boolean warm;
    private boolean begun;
    private boolean logged;
    private boolean limitLogged;
    private int addedNow;
    private long patienceNanos;
    private long heldSinceNanos;
    private long stuckNanos;
    private long changes;
    private long changesWhenAdded;

    /**
     * A compensation that lasts while {@code carrier} carries {@code thread} or, if that is null,
     * is blocked in another task.
     */
    private static final class Compensated {
        private final Thread carrier;
        private final @Nullable Thread thread;
        private final long begunAtNanos;
        private long token;

        Compensated(Thread carrier, @Nullable Thread thread, long begunAtNanos) {
            this.carrier = carrier;
            this.thread = thread;
            this.begunAtNanos = begunAtNanos;
        }
    }

    /**
     * @param stuckAfterNanos how long nothing has to move before the scheduler is stuck
     * @throws LinkageError if this JDK's scheduler cannot compensate
     */
    public ReliefWhenStuck(CarrierPool pool, long stuckAfterNanos) {
        this(pool, stuckAfterNanos, AgentLog::error);
    }

    ReliefWhenStuck(CarrierPool pool, long stuckAfterNanos, Consumer<String> log) {
        this.pool = pool;
        this.stuckAfterNanos = stuckAfterNanos;
        this.log = log;
        compensation = pool.compensation();
    }

    /** Sets how long nothing has to move before the scheduler is stuck. */
    public void stuckAfter(long newStuckAfterNanos) {
        stuckAfterNanos = newStuckAfterNanos;
    }

    /**
     * Adds a carrier if one is due, and ends the compensations that are over. For one thread.
     *
     * @param stuck null if the scheduler is not stuck
     * @return the longest time until the next sample, in nanoseconds; {@link Long#MAX_VALUE} if it
     *     does not matter
     */
    public long sample(long nowNanos, @Nullable Stuck stuck) {
        if (!warm) {
            compensation.warmUp(); // so that no class is loaded while stuck, perhaps on a class
            warm = true;
        }
        releaseEnded(nowNanos);
        if (stuck == null) {
            begun = false;
            return Long.MAX_VALUE;
        }
        if (!begun) {
            begin(nowNanos, stuck);
        } else if (!stuck.allHeld() || stuck.changes() != changes) {
            heldSinceNanos = nowNanos;
        }
        stuckNanos = nowNanos;
        changes = stuck.changes();
        long wantedNanos =
                changes == changesWhenAdded
                        ? patienceNanos
                        : Math.min(2 * patienceNanos, stuckAfterNanos);
        if (stuck.allHeld() && nowNanos - heldSinceNanos >= wantedNanos) {
            patienceNanos = wantedNanos;
            changesWhenAdded = changes;
            heldSinceNanos = nowNanos;
            add(nowNanos, stuck.verdict());
        }
        return limitLogged ? Long.MAX_VALUE : patienceNanos / SAMPLES_UNTIL_DUE;
    }

    private void begin(long nowNanos, Stuck stuck) {
        begun = true;
        logged &= nowNanos - stuckNanos < stuckAfterNanos; // if recent, it is the same period
        limitLogged = false;
        addedNow = 0;
        long eachNanos = ALL_WITHIN_NANOS / Math.max(pool.max() - pool.size(), 1);
        patienceNanos = Math.clamp(eachNanos, MIN_PATIENCE_NANOS, MAX_PATIENCE_NANOS);
        heldSinceNanos = nowNanos - stuckAfterNanos; // the first one is due at once
        changesWhenAdded = stuck.changes();
    }

    private void add(long nowNanos, String cause) {
        int before = pool.size();
        boolean oneIsIdle =
                pool.carriers().stream()
                        .anyMatch(
                                each ->
                                        pool.mountedOn(each) == null
                                                && !pool.isBlockedInTask(each));
        if (before >= pool.max() && !oneIsIdle) {
            logLimit(
                    CarrierPool.MAX_POOL_SIZE + "=" + pool.max() + " allows no more, raise it",
                    cause);
            return;
        }
        boolean oneMore = false;
        boolean accepted = true;
        while (accepted && !oneMore) {
            // ForkJoinPool.tryCompensate wakes an idle carrier, or runs fewer, down to minRunnable,
            // or adds one
            boolean wakes = oneIsIdle && pool.atWork() <= pool.parallelism();
            boolean runsFewer = !wakes && pool.atWork() > pool.minRunnable();
            accepted = compensate(nowNanos);
            oneMore = accepted && !runsFewer;
        }
        if (pool.size() > before) {
            addedNow++;
            added.incrementAndGet();
        }
        if (!oneMore) {
            logLimit("the scheduler refuses to add one", cause);
        } else if (!logged) {
            logged = true;
            log.accept(
                    "relief=stuck adds carriers, one at a time, until something moves: " + cause);
        }
    }

    /**
     * Asks the scheduler to compensate for a held carrier, if possible one that is not compensated
     * yet; returns false if it refuses.
     */
    private boolean compensate(long nowNanos) {
        Compensated next = next(nowNanos);
        if (next == null) {
            return false;
        }
        compensated.add(next); // before the call, so that its token is not lost
        next.token = compensation.begin();
        if (next.token == 0) {
            compensated.remove(next);
        }
        return next.token != 0;
    }

    private @Nullable Compensated next(long nowNanos) {
        Compensated found = null;
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null || pool.isBlockedInTask(carrier)) {
                found = new Compensated(carrier, thread, nowNanos);
                if (compensated.stream().noneMatch(each -> each.carrier == carrier)) {
                    break;
                }
            }
        }
        return found;
    }

    private void logLimit(String limit, String cause) {
        if (!limitLogged) {
            limitLogged = true;
            log.accept(
                    "relief=stuck has added "
                            + (addedNow == 1 ? "1 carrier" : addedNow + " carriers")
                            + ", the scheduler is still stuck, and "
                            + limit
                            + ": "
                            + cause);
        }
    }

    private void releaseEnded(long nowNanos) {
        for (int i = compensated.size() - 1; i >= 0; i--) {
            Compensated each = compensated.get(i);
            boolean goesOn = each.thread == null && !pool.isBlockedInTask(each.carrier);
            if (goesOn || pool.mountedOn(each.carrier) != each.thread) {
                end(i, nowNanos);
            }
        }
    }

    /**
     * Returns the number of compensated carriers. For the same thread, or for any after that has
     * ended.
     */
    public int compensatedCarriers() {
        return compensated.size();
    }

    /**
     * Ends all compensation, and adds no carrier until {@link #sample} is called again. For the
     * same thread.
     */
    public void lost() {
        begun = false;
        for (int i = compensated.size() - 1; i >= 0; i--) {
            end(i, System.nanoTime());
        }
    }

    private void end(int index, long nowNanos) {
        Compensated ended = compensated.get(index);
        if (ended.token != 0) {
            compensation.end(ended.token); // comes first: if it fails, it is retried
        }
        compensated.remove(index);
        pins.incrementAndGet();
        nanos.addAndGet(nowNanos - ended.begunAtNanos);
    }

    @Override
    public long added() {
        return added.get();
    }

    @Override
    public long pins() {
        return pins.get();
    }

    @Override
    public long nanos() {
        return nanos.get();
    }
}
