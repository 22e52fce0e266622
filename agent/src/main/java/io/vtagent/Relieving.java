package io.vtagent;

import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.relief.Relief;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.relief.ReliefWhenStuck;
import io.vtagent.vm.CarrierPool;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Has carriers added as the option {@code relief} says. */
final class Relieving {
    private Relieving() {}

    /** What relief will have done; null if it is off. */
    static @Nullable ReliefFigures begin(
            AgentOptions options, Installation installation, @Nullable Watch watch, Ledger ledger) {
        boolean always = options.relief() > 0;
        if (!always && !options.reliefWhenStuck()) {
            return null;
        }
        String why = "the scheduler of virtual threads is not the known one";
        if (watch != null && (installation.unmountsTold() || !always)) {
            try {
                return always ? always(options.relief(), watch, ledger) : whenStuck(options, watch);
            } catch (LinkageError missing) {
                why = String.valueOf(missing.getMessage());
            }
        }
        AgentLog.error("relief stays off: " + why);
        return null;
    }

    private static ReliefFigures always(int most, Watch watch, Ledger ledger) {
        Relief relief = new Relief(watch.pool(), most);
        ledger.relieveBy(relief);
        watch.tell(new Watch.Listener() {
            @Override
            public long looked(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen) {
                relief.look(nowNanos, noticed, seen);
                ledger.giveBackWhatWasLost();
                return Long.MAX_VALUE;
            }

            @Override
            public void lost() {
                relief.lost();
            }
        });
        int limit = Math.min(most, watch.pool().max() - watch.pool().parallelism());
        AgentLog.info("relief is on: for carriers that are held up to " + Math.max(limit, 0)
                + " more are added, each a platform thread");
        return relief;
    }

    private static ReliefFigures whenStuck(AgentOptions options, Watch watch) {
        ReliefWhenStuck relief = new ReliefWhenStuck(watch.pool(), options.starvationAfterNanos());
        Starvation starvation = watch.starvation();
        watch.tell(new Watch.Listener() {
            @Override
            public long looked(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen) {
                Starvation.Stuck stuck = starvation.stuck();
                return relief.look(
                        nowNanos,
                        stuck == null
                                ? null
                                : new ReliefWhenStuck.Stuck(stuck.verdict(), stuck.allHeld(), stuck.changes()));
            }

            @Override
            public void lost() {
                relief.lost();
            }
        });
        int limit = watch.pool().max() - watch.pool().parallelism();
        AgentLog.info(
                limit > 0
                        ? "relief waits: when nothing moves any more, up to " + limit + " carriers are added"
                        : "relief=stuck can add no carrier, since " + CarrierPool.MAX_POOL_SIZE + " is "
                                + watch.pool().max() + ", as many as there are: raise it");
        return relief;
    }
}
