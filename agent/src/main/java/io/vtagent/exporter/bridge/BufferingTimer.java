package io.vtagent.exporter.bridge;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.vtagent.metrics.SummedTimer;
import io.vtagent.pin.DurationTotals;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timer of the agent that keeps durations until each of the application's timers has fetched them
 * on another thread. It keeps them as sums, so that its memory does not grow with time. Thread-safe
 * by one lock.
 */
final class BufferingTimer extends NoopTimer implements SummedTimer.Sums {
    private final DistributionStatisticConfig config;
    private final List<WeakReference<Unfetched>> readers = new ArrayList<>();
    private @Nullable DurationTotals total;

    BufferingTimer(Meter.Id id, DistributionStatisticConfig config) {
        super(id);
        this.config = config;
    }

    /**
     * The durations that one reader has not fetched yet. The reader owns this object; once the
     * reader is collected, nothing more is kept for it.
     */
    static final class Unfetched {
        private @Nullable DurationTotals durations;
        private @Nullable DurationTotals more;
    }

    /** Returns whether this timer has buckets, and their range. */
    DistributionStatisticConfig config() {
        return config;
    }

    @Override
    public synchronized void add(DurationTotals since) {
        DurationTotals more = sum(total, since);
        // allocates everything first: after a failure the caller passes the same durations again,
        // so none of the readers may have got them
        for (int i = 0; i < readers.size(); i++) {
            Unfetched reader = readers.get(i).get();
            if (reader != null) {
                reader.more = sum(reader.durations, since);
            }
        }
        total = more;
        for (int i = readers.size() - 1; i >= 0; i--) {
            Unfetched reader = readers.get(i).get();
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

    /** Creates a reader that has yet to fetch everything. */
    synchronized Unfetched read() {
        Unfetched reader = new Unfetched();
        reader.durations = total;
        readers.add(new WeakReference<>(reader));
        return reader;
    }

    /** Returns the durations that {@code reader} has not fetched yet, or null if there are none. */
    synchronized @Nullable DurationTotals fetch(Unfetched reader) {
        DurationTotals durations = reader.durations;
        reader.durations = null;
        return durations;
    }
}
