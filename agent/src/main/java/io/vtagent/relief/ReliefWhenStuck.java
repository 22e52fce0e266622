package io.vtagent.relief;

import io.vtagent.log.AgentLog;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Compensation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds carriers to a scheduler in which nothing moves, one at a time, until something does. All of it is done by the thread that looks
 * at the carriers: the application's threads pay nothing.
 *
 * <p>A carrier is made up for until it carries something else: only then is it at work again, and the scheduler told so. Until then the
 * scheduler wakes those that were added for what is queued, also where the others are held for good.
 *
 * <p>Whoever was added takes up one of the threads that are queued. If that is held as well, and still nothing moves, the next one is
 * added: soon, since any of those that are queued may be the one that the others wait for. Where something has moved since the last one
 * was added that is no standstill, and the next one has to wait twice as long each time.
 */
public final class ReliefWhenStuck implements ReliefFigures {
    /** All carriers that may be added are added within about this time, if nothing moves ... */
    static final long ALL_WITHIN_NANOS = 500_000_000;
    /** ... and if there are few of them, each after no more than this, nor less than that. */
    static final long MOST_PATIENCE_NANOS = 20_000_000;

    static final long LEAST_PATIENCE_NANOS = 1_000_000;

    /** The carriers are looked at so many times before the next one is due. */
    private static final int LOOKS = 2;

    private final CarrierPool pool;
    private final Compensation compensation;
    private volatile long stuckAfterNanos;
    private final Consumer<String> log;
    private final List<MadeUp> madeUp = new ArrayList<>();
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    private boolean warm;
    private boolean begun;
    private boolean said;
    private boolean limitSaid;
    private int addedNow;
    private long patienceNanos;
    private long heldSinceNanos;
    private long stuckNanos;
    private long changes;
    private long changesWhenAdded;

    /**
     * A scheduler in which nothing moves, or did not when that was found, at one look.
     *
     * @param cause why, in a sentence
     * @param allHeld whether every carrier is held at this look, and work is queued
     * @param changes how often a carrier has been seen to take up another thread
     */
    public record Stuck(String cause, boolean allHeld, long changes) {}

    /** What the scheduler was asked for while {@code carrier} carries {@code thread}. */
    private static final class MadeUp {
        private final Thread carrier;
        private final Thread thread;
        private final long begunAtNanos;
        private long token;

        MadeUp(Thread carrier, Thread thread, long begunAtNanos) {
            this.carrier = carrier;
            this.thread = thread;
            this.begunAtNanos = begunAtNanos;
        }
    }

    /**
     * @param stuckAfterNanos how long nothing moves before that is called stuck
     * @throws LinkageError if this JDK's scheduler does not offer it
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

    /** From now on calls it stuck when nothing has moved for so long. */
    public void stuckAfter(long newStuckAfterNanos) {
        stuckAfterNanos = newStuckAfterNanos;
    }

    /**
     * Adds a carrier if it has come to that, and gives back what is over. For one thread.
     *
     * @param stuck null if something moves
     * @return how long it may take until the next look; {@link Long#MAX_VALUE} if that does not matter
     */
    public long look(long nowNanos, @Nullable Stuck stuck) {
        if (!warm) {
            compensation.warmUp(); // or its classes would be loaded when nothing moves, maybe because of a class
            warm = true;
        }
        giveBack(nowNanos);
        if (stuck == null) {
            begun = false;
            return Long.MAX_VALUE;
        }
        if (!begun) {
            begin(nowNanos, stuck);
        } else if (!stuck.allHeld || stuck.changes != changes) {
            heldSinceNanos = nowNanos;
        }
        stuckNanos = nowNanos;
        changes = stuck.changes;
        long wantedNanos = changes == changesWhenAdded ? patienceNanos : Math.min(2 * patienceNanos, stuckAfterNanos);
        if (stuck.allHeld && nowNanos - heldSinceNanos >= wantedNanos) {
            patienceNanos = wantedNanos;
            changesWhenAdded = changes;
            heldSinceNanos = nowNanos;
            add(nowNanos, stuck.cause);
        }
        return limitSaid ? Long.MAX_VALUE : patienceNanos / LOOKS;
    }

    private void begin(long nowNanos, Stuck stuck) {
        begun = true;
        said &= nowNanos - stuckNanos < stuckAfterNanos; // or it is the same one
        limitSaid = false;
        addedNow = 0;
        long eachNanos = ALL_WITHIN_NANOS / Math.max(pool.max() - pool.size(), 1);
        patienceNanos = Math.clamp(eachNanos, LEAST_PATIENCE_NANOS, MOST_PATIENCE_NANOS);
        heldSinceNanos = nowNanos - stuckAfterNanos; // the first one is due at once
        changesWhenAdded = stuck.changes;
    }

    private void add(long nowNanos, String cause) {
        int before = pool.size();
        boolean oneIsIdle = pool.carriers().stream().anyMatch(each -> pool.mountedOn(each) == null);
        if (before >= pool.max() && !oneIsIdle) {
            sayLimit(CarrierPool.MAX_POOL_SIZE + "=" + pool.max() + " allows no more, raise it", cause);
            return;
        }
        boolean oneMore = false;
        boolean accepted = true;
        while (accepted && !oneMore) {
            // as ForkJoinPool.tryCompensate does: wakes one that is idle, or runs fewer, down to minRunnable, or adds
            // one
            boolean wakes = oneIsIdle && pool.atWork() <= pool.parallelism();
            boolean runsFewer = !wakes && pool.atWork() > pool.minRunnable();
            accepted = makeUp(nowNanos);
            oneMore = accepted && !runsFewer;
        }
        if (pool.size() > before) {
            addedNow++;
            added.incrementAndGet();
        }
        if (!oneMore) {
            sayLimit("the scheduler refuses to add one", cause);
        } else if (!said) {
            said = true;
            log.accept("relief=stuck adds carriers, one at a time, until something moves: " + cause);
        }
    }

    /** Asks the scheduler on behalf of a carrier that is held and was not made up for; false if it refuses. */
    private boolean makeUp(long nowNanos) {
        MadeUp next = next(nowNanos);
        if (next == null) {
            return false;
        }
        madeUp.add(next); // before it is asked: what it gives is not to be lost
        next.token = compensation.begin();
        if (next.token == 0) {
            madeUp.remove(next);
        }
        return next.token != 0;
    }

    private @Nullable MadeUp next(long nowNanos) {
        MadeUp found = null;
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null) {
                found = new MadeUp(carrier, thread, nowNanos);
                if (madeUp.stream().noneMatch(each -> each.carrier == carrier)) {
                    break;
                }
            }
        }
        return found;
    }

    private void sayLimit(String limit, String cause) {
        if (!limitSaid) {
            limitSaid = true;
            log.accept("relief=stuck has added " + (addedNow == 1 ? "1 carrier" : addedNow + " carriers")
                    + ", nothing moves, and " + limit + ": " + cause);
        }
    }

    private void giveBack(long nowNanos) {
        for (int i = madeUp.size() - 1; i >= 0; i--) {
            MadeUp each = madeUp.get(i);
            if (pool.mountedOn(each.carrier) != each.thread) {
                end(i, nowNanos);
            }
        }
    }

    /** Carriers that are held and made up for. For the same thread, or when that has ended. */
    public int madeUpFor() {
        return madeUp.size();
    }

    /** Gives back all that was asked for, and adds nothing before {@link #look} is called again. For the same thread. */
    public void lost() {
        begun = false;
        for (int i = madeUp.size() - 1; i >= 0; i--) {
            end(i, System.nanoTime());
        }
    }

    private void end(int index, long nowNanos) {
        MadeUp ended = madeUp.get(index);
        if (ended.token != 0) {
            compensation.end(ended.token); // first: if it fails, it is tried again
        }
        madeUp.remove(index);
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
