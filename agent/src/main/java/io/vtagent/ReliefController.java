package io.vtagent;

import io.vtagent.hook.CarrierCompensator;
import io.vtagent.instrument.Transformations;
import io.vtagent.ledger.Ledger;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.pin.ActivePin;
import io.vtagent.relief.Relief;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.relief.ReliefWhenStuck;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import java.util.Collection;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns relief on and off according to the option {@code relief}, which may change. A kind of
 * relief that was on once is kept, so that it can release what it has added. Thread-safe.
 */
final class ReliefController implements ReliefFigures, CarrierMonitoring.Listener {
    private static final String UNKNOWN =
            "the scheduler of virtual threads is not one that the agent knows";

    private final Transformations transformations;
    private final @Nullable CarrierMonitoring watch;
    private final Ledger ledger;
    private volatile Mode mode = Mode.OFF;
    private volatile @Nullable Relief always;
    private volatile @Nullable ReliefWhenStuck whenStuck;

    /** The mode of the last sample; only for the thread that samples. */
    private Mode sampledMode = Mode.OFF;

    private enum Mode {
        OFF,
        ALWAYS,
        WHEN_STUCK
    }

    ReliefController(
            Transformations transformations, @Nullable CarrierMonitoring watch, Ledger ledger) {
        this.transformations = transformations;
        this.watch = watch;
        this.ledger = ledger;
    }

    /** Applies {@code options}, and logs a mode that is turned on. */
    synchronized void become(AgentOptions options) {
        Mode wanted =
                options.relief() > 0
                        ? Mode.ALWAYS
                        : options.reliefWhenStuck() ? Mode.WHEN_STUCK : Mode.OFF;
        CarrierMonitoring sampler = watch;
        ledger.relieves(wanted == Mode.ALWAYS);
        if (wanted == Mode.OFF) {
            mode = wanted;
            return;
        }
        String failure = UNKNOWN;
        if (sampler != null && (wanted == Mode.WHEN_STUCK || transformations.reportUnmounts())) {
            try {
                if (wanted == Mode.ALWAYS) {
                    always(options.relief(), sampler);
                } else {
                    whenStuck(options.starvationAfterNanos(), sampler);
                }
                mode = wanted;
                sampler.setListener(this);
                return;
            } catch (LinkageError missing) {
                failure = String.valueOf(missing.getMessage());
            }
        }
        ledger.relieves(mode == Mode.ALWAYS);
        AgentLog.error("relief stays off: " + failure);
    }

    private void always(int most, CarrierMonitoring sampler) {
        Relief relief = always;
        if (relief == null) {
            relief = new Relief(sampler.pool(), most);
            relief.warmUp();
            always = relief;
            ledger.compensateWith(relief);
        } else {
            relief.limit(most);
        }
        int limit = Math.min(most, sampler.pool().max() - sampler.pool().parallelism());
        AgentLog.info(
                "relief is on: up to "
                        + Math.max(limit, 0)
                        + " carriers, each a platform thread, will be added for held ones");
    }

    private void whenStuck(long afterNanos, CarrierMonitoring sampler) {
        ReliefWhenStuck relief = whenStuck;
        if (relief == null) {
            whenStuck = new ReliefWhenStuck(sampler.pool(), afterNanos);
        } else {
            relief.stuckAfter(afterNanos);
        }
        int limit = sampler.pool().max() - sampler.pool().parallelism();
        AgentLog.info(
                limit > 0
                        ? "relief is armed: up to "
                                + limit
                                + " carriers will be added if the scheduler is stuck"
                        : "relief=stuck can add no carrier, because "
                                + CarrierPool.MAX_POOL_SIZE
                                + " is "
                                + sampler.pool().max()
                                + ", as many as there are: raise it");
    }

    @Override
    public long onSampled(
            long nowNanos, Collection<ActivePin> reportedByHooks, Collection<ActivePin> sampled) {
        Mode now = mode;
        if (now != sampledMode) {
            onSamplerDown();
            sampledMode = now;
        }
        return switch (now) {
            case OFF -> Long.MAX_VALUE;
            case ALWAYS -> sampleAlways(nowNanos, reportedByHooks, sampled);
            case WHEN_STUCK -> sampleWhenStuck(nowNanos);
        };
    }

    private long sampleAlways(
            long nowNanos, Collection<ActivePin> reportedByHooks, Collection<ActivePin> sampled) {
        Relief relief = always;
        if (relief != null) {
            relief.sample(nowNanos, reportedByHooks, sampled);
            ledger.releaseLost();
        }
        return Long.MAX_VALUE;
    }

    private long sampleWhenStuck(long nowNanos) {
        CarrierMonitoring sampler = watch;
        ReliefWhenStuck relief = whenStuck;
        return sampler == null || relief == null
                ? Long.MAX_VALUE
                : relief.sample(nowNanos, sampler.starvation().stuck());
    }

    @Override
    public void onSamplerDown() {
        Relief relief = always;
        if (relief != null) {
            relief.lost();
        }
        ReliefWhenStuck stuck = whenStuck;
        if (stuck != null) {
            stuck.lost();
        }
    }

    /**
     * Releases all compensation and returns the number of held carriers that were compensated. Call
     * only after the sensors and the sampler have stopped.
     */
    int end() {
        mode = Mode.OFF;
        Relief relief = always;
        ReliefWhenStuck stuck = whenStuck;
        int compensatedCarriers =
                (relief == null ? 0 : relief.compensatedCarriers())
                        + (stuck == null ? 0 : stuck.compensatedCarriers());
        onSamplerDown();
        ledger.releaseAll();
        ledger.compensateWith(CarrierCompensator.NONE);
        return compensatedCarriers;
    }

    @Override
    public boolean isOn() {
        return mode != Mode.OFF;
    }

    private long sum(ToLongFunction<ReliefFigures> figure) {
        Relief relief = always;
        ReliefWhenStuck stuck = whenStuck;
        return (relief == null ? 0 : figure.applyAsLong(relief))
                + (stuck == null ? 0 : figure.applyAsLong(stuck));
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
