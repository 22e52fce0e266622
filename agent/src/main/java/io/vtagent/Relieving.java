package io.vtagent;

import io.vtagent.instrument.Transformations;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.Reliever;
import io.vtagent.relief.Relief;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.relief.ReliefWhenStuck;
import io.vtagent.vm.CarrierPool;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.util.Collection;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has carriers added as the option {@code relief} says, which may change. Each kind of relief, once it was on, stays to give back what it
 * has begun. Thread-safe.
 */
final class Relieving implements ReliefFigures, Watch.Listener {
    private static final String UNKNOWN = "the scheduler of virtual threads is not the known one";

    private final Transformations transformations;
    private final @Nullable Watch watch;
    private final Ledger ledger;
    private volatile Mode mode = Mode.OFF;
    private volatile @Nullable Relief always;
    private volatile @Nullable ReliefWhenStuck whenStuck;

    /** Of the last look; for the thread that looks. */
    private Mode lookedWith = Mode.OFF;

    private enum Mode {
        OFF,
        ALWAYS,
        WHEN_STUCK
    }

    Relieving(Transformations transformations, @Nullable Watch watch, Ledger ledger) {
        this.transformations = transformations;
        this.watch = watch;
        this.ledger = ledger;
    }

    /** From now on does as {@code options} say. What is on is a line in the log. */
    synchronized void become(AgentOptions options) {
        Mode wanted = options.relief() > 0 ? Mode.ALWAYS : options.reliefWhenStuck() ? Mode.WHEN_STUCK : Mode.OFF;
        Watch looks = watch;
        if (wanted == Mode.OFF) {
            mode = wanted;
            return;
        }
        String failure = UNKNOWN;
        if (looks != null && (wanted == Mode.WHEN_STUCK || transformations.tellUnmounts())) {
            try {
                if (wanted == Mode.ALWAYS) {
                    always(options.relief(), looks);
                } else {
                    whenStuck(options.starvationAfterNanos(), looks);
                }
                mode = wanted;
                looks.tell(this);
                return;
            } catch (LinkageError missing) {
                failure = String.valueOf(missing.getMessage());
            }
        }
        AgentLog.error("relief stays off: " + failure);
    }

    private void always(int most, Watch looks) {
        Relief relief = always;
        if (relief == null) {
            relief = new Relief(looks.pool(), most);
            relief.warmUp();
            always = relief;
            ledger.relieveBy(relief);
        } else {
            relief.limit(most);
        }
        int limit = Math.min(most, looks.pool().max() - looks.pool().parallelism());
        AgentLog.info("relief is on: for carriers that are held up to " + Math.max(limit, 0)
                + " more are added, each a platform thread");
    }

    private void whenStuck(long afterNanos, Watch looks) {
        ReliefWhenStuck relief = whenStuck;
        if (relief == null) {
            whenStuck = new ReliefWhenStuck(looks.pool(), afterNanos);
        } else {
            relief.stuckAfter(afterNanos);
        }
        int limit = looks.pool().max() - looks.pool().parallelism();
        AgentLog.info(
                limit > 0
                        ? "relief waits: when nothing moves any more, up to " + limit + " carriers are added"
                        : "relief=stuck can add no carrier, since " + CarrierPool.MAX_POOL_SIZE + " is "
                                + looks.pool().max() + ", as many as there are: raise it");
    }

    @Override
    public long looked(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen) {
        Mode now = mode;
        if (now != lookedWith) {
            lost();
            lookedWith = now;
        }
        return switch (now) {
            case OFF -> Long.MAX_VALUE;
            case ALWAYS -> lookAlways(nowNanos, noticed, seen);
            case WHEN_STUCK -> lookWhenStuck(nowNanos);
        };
    }

    private long lookAlways(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen) {
        Relief relief = always;
        if (relief != null) {
            relief.look(nowNanos, noticed, seen);
            ledger.giveBackWhatWasLost();
        }
        return Long.MAX_VALUE;
    }

    private long lookWhenStuck(long nowNanos) {
        Watch looks = watch;
        ReliefWhenStuck relief = whenStuck;
        if (looks == null || relief == null) {
            return Long.MAX_VALUE;
        }
        Starvation.Stuck stuck = looks.starvation().stuck();
        return relief.look(
                nowNanos,
                stuck == null ? null : new ReliefWhenStuck.Stuck(stuck.verdict(), stuck.allHeld(), stuck.changes()));
    }

    @Override
    public void lost() {
        Relief relief = always;
        if (relief != null) {
            relief.lost();
        }
        ReliefWhenStuck stuck = whenStuck;
        if (stuck != null) {
            stuck.lost();
        }
    }

    /** Gives everything back: for how many held carriers something was. Comes when no sensor is told any more and nobody looks. */
    int end() {
        mode = Mode.OFF;
        Relief relief = always;
        ReliefWhenStuck stuck = whenStuck;
        int madeUpFor = (relief == null ? 0 : relief.madeUpFor()) + (stuck == null ? 0 : stuck.madeUpFor());
        lost();
        ledger.giveBackAll();
        ledger.relieveBy(Reliever.NONE);
        return madeUpFor;
    }

    @Override
    public boolean isOn() {
        return mode != Mode.OFF;
    }

    private long sum(ToLongFunction<ReliefFigures> figure) {
        Relief relief = always;
        ReliefWhenStuck stuck = whenStuck;
        return (relief == null ? 0 : figure.applyAsLong(relief)) + (stuck == null ? 0 : figure.applyAsLong(stuck));
    }

    @Override
    public long added() {
        return sum(ReliefFigures::added);
    }

    @Override
    public long pins() {
        return sum(ReliefFigures::pins);
    }

    @Override
    public long nanos() {
        return sum(ReliefFigures::nanos);
    }
}
