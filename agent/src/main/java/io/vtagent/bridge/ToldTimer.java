package io.vtagent.bridge;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.vtagent.metrics.SummedTimer;
import io.vtagent.record.DurationTotals;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timer of the agent's that is told of durations under the agent's locks, and keeps them until each of the application's timers has
 * fetched them on another thread: as sums, so that it takes no more memory however long that is. Thread-safe by one lock.
 */
final class ToldTimer extends NoopTimer implements SummedTimer.Sums {
    private final DistributionStatisticConfig config;
    private final List<WeakReference<Untold>> readers = new ArrayList<>();
    private @Nullable DurationTotals total;

    ToldTimer(Meter.Id id, DistributionStatisticConfig config) {
        super(id);
        this.config = config;
    }

    /** What one reader has not fetched yet. Belongs to that reader: when it goes nothing is kept for it any more. */
    static final class Untold {
        private @Nullable DurationTotals durations;
        private @Nullable DurationTotals more;
    }

    /** Whether it has buckets, and if so from where to where. */
    DistributionStatisticConfig config() {
        return config;
    }

    @Override
    public synchronized void add(DurationTotals since) {
        DurationTotals more = sum(total, since);
        // all memory first: whoever called would hand over the same again if it were told to some only
        for (int i = 0; i < readers.size(); i++) {
            Untold reader = readers.get(i).get();
            if (reader != null) {
                reader.more = sum(reader.durations, since);
            }
        }
        total = more;
        for (int i = readers.size() - 1; i >= 0; i--) {
            Untold reader = readers.get(i).get();
            if (reader == null) {
                readers.remove(i);
            } else {
                reader.durations = reader.more;
            }
        }
    }

    private static DurationTotals sum(@Nullable DurationTotals before, DurationTotals since) {
        return before == null ? since : before.plus(since);
    }

    /** A new reader, who has yet to fetch everything. */
    synchronized Untold read() {
        Untold reader = new Untold();
        reader.durations = total;
        readers.add(new WeakReference<>(reader));
        return reader;
    }

    /** What {@code reader} has not fetched yet, null if there is nothing. */
    synchronized @Nullable DurationTotals fetch(Untold reader) {
        DurationTotals durations = reader.durations;
        reader.durations = null;
        return durations;
    }
}
