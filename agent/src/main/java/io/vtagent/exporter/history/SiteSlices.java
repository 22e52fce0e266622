package io.vtagent.exporter.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time for which each site held carriers, or computed on them, in each slice of the last hour,
 * and for how long others waited because it held them. It is bounded: with many busy sites it goes
 * back less far. Not thread-safe.
 *
 * @param <S> what a site is named by
 */
final class SiteSlices<S> {
    /**
     * 200 sites that all pin in each slice of an hour; 24 bytes each, or 16 where it is not known
     * for how long others waited.
     */
    static final int MAX_ENTRIES = 72_000;

    private static final long COUNT_MASK = (1L << 32) - 1;

    private final int mostSlices;

    /** The numbers of a site in the rows of a slice. */
    private final int width;

    private final Map<S, Integer> indexes = new HashMap<>();
    private final List<S> sites = new ArrayList<>();
    private final Deque<Slice> slices = new ArrayDeque<>();
    private int entries;

    /** The held time of the sites since its first second. */
    private static final class Slice {
        private final long from;

        /**
         * Of each site: its index in the upper half of the first, how many pins of it there were in
         * the lower; the time in nanoseconds; and that for which others waited, where it is known.
         */
        private final long[] rows;

        Slice(long from, long[] rows) {
            this.from = from;
            this.rows = rows;
        }
    }

    /**
     * @param knowsWaits whether it is known for how long others waited because of a site
     */
    SiteSlices(int mostSlices, boolean knowsWaits) {
        this.mostSlices = mostSlices;
        width = knowsWaits ? 3 : 2;
    }

    /**
     * The held time of a site in some interval.
     *
     * @param waitedNanos for how long others waited because of it; 0 where that is not known
     */
    record Held(long count, long nanos, long waitedNanos) {
        static final Held NOTHING = new Held(0, 0, 0);

        Held and(Held other) {
            return new Held(
                    count + other.count, nanos + other.nanos, waitedNanos + other.waitedNanos);
        }

        /** Returns the increase since {@code before}; a figure that has shrunk counts as 0. */
        Held since(Held before) {
            return new Held(
                    Math.max(count - before.count, 0),
                    Math.max(nanos - before.nanos, 0),
                    Math.max(waitedNanos - before.waitedNanos, 0));
        }
    }

    /** Adds a slice, whose first second is {@code from}. */
    void add(long from, Map<S, Held> held) {
        slices.addLast(slice(from, held));
        entries += held.size();
        while (slices.size() > mostSlices || entries > MAX_ENTRIES) {
            entries -= slices.removeFirst().rows.length / width;
        }
    }

    private Slice slice(long from, Map<S, Held> held) {
        long[] rows = new long[held.size() * width];
        int row = 0;
        for (Map.Entry<S, Held> site : held.entrySet()) {
            rows[row++] =
                    (long) indexOf(site.getKey()) << 32
                            | Math.min(site.getValue().count(), COUNT_MASK);
            rows[row++] = site.getValue().nanos();
            if (width > 2) {
                rows[row++] = site.getValue().waitedNanos();
            }
        }
        return new Slice(from, rows);
    }

    /** The sites that there ever were: as many as the agent keeps apart. */
    List<S> sites() {
        return sites;
    }

    private int indexOf(S site) {
        return indexes.computeIfAbsent(
                site,
                added -> {
                    sites.add(added);
                    return sites.size() - 1;
                });
    }

    /**
     * Returns the sum of the slices that begin at or after {@code from} and before {@code to}, by
     * site.
     */
    Map<S, Held> sum(long from, long to) {
        Map<S, Held> sum = new HashMap<>();
        for (Slice slice : slices) {
            for (int row = 0;
                    slice.from >= from && slice.from < to && row < slice.rows.length;
                    row += width) {
                S site = sites.get((int) (slice.rows[row] >>> 32));
                sum.merge(
                        site,
                        new Held(
                                slice.rows[row] & COUNT_MASK,
                                slice.rows[row + 1],
                                width > 2 ? slice.rows[row + 2] : 0),
                        Held::and);
            }
        }
        return sum;
    }

    /** The slices that begin from {@code from} on, each as {@link #numbers} has it. */
    List<long[]> rows(long from) {
        return slices.stream().filter(slice -> slice.from >= from).map(this::numbers).toList();
    }

    /** A slice that is not added, as {@link #numbers} has it. */
    long[] row(long from, Map<S, Held> held) {
        return numbers(slice(from, held));
    }

    /**
     * The slice's first second, then of each site its index in {@link #sites}, its count and its
     * microseconds, and those for which others waited, where they are known.
     */
    private long[] numbers(Slice slice) {
        long[] numbers = new long[1 + slice.rows.length / width * (width + 1)];
        numbers[0] = slice.from;
        for (int row = 0, at = 1; row < slice.rows.length; row += width) {
            numbers[at++] = slice.rows[row] >>> 32;
            numbers[at++] = slice.rows[row] & COUNT_MASK;
            for (int time = 1; time < width; time++) {
                numbers[at++] = slice.rows[row + time] / 1_000;
            }
        }
        return numbers;
    }
}
