package io.vtagent.exporter.history;

import io.vtagent.pin.DurationCounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The time for which each site held carriers, or computed on them, in each slice of the last hour,
 * and of pins how long they lasted, and for how long others waited because of them. It is bounded:
 * with many busy sites it goes back less far. Not thread-safe.
 *
 * @param <S> what a site is named by
 */
final class SiteSlices<S> {
    /** 200 sites in each slice of an hour. */
    private static final int SITES_OF_AN_HOUR = 72_000;

    /** So much is kept of pins, 3.5 MB: enough if their sites have three durations each. */
    static final int MAX_LONGS_OF_PINS = SITES_OF_AN_HOUR * (3 + 3);

    /** So much is kept of computing, 1.2 MB. */
    static final int MAX_LONGS_OF_COMPUTING = SITES_OF_AN_HOUR * 2;

    private static final long COUNT_MASK = (1L << 32) - 1;

    private static final int BUCKET_SHIFT = 27;
    private static final int BUCKET_MASK = (1 << (32 - BUCKET_SHIFT)) - 1;
    private static final long COUNT_OF_BUCKET_MASK = (1L << BUCKET_SHIFT) - 1;

    private final int mostSlices;
    private final int mostLongs;

    /** The numbers of a site in the rows of a slice. */
    private final int width;

    private final Map<S, Integer> indexes = new HashMap<>();
    private final List<S> sites = new ArrayList<>();
    private final Deque<Slice> slices = new ArrayDeque<>();
    private int longs;

    /** The held time of the sites since its first second. */
    private static final class Slice {
        private final long from;

        /**
         * Of each site: its index in the upper half of the first, how many pins of it there were in
         * the lower; the time in nanoseconds; and that for which others waited, of pins.
         */
        private final long[] rows;

        /**
         * Of each site and bucket of durations in which pins ended: the index of the site in the
         * upper half, then the bucket in the upper {@code 32 - BUCKET_SHIFT} bits of the lower
         * half, then the number of pins.
         */
        private final long[] durations;

        Slice(long from, long[] rows, long[] durations) {
            this.from = from;
            this.rows = rows;
            this.durations = durations;
        }

        int longs() {
            return rows.length + durations.length;
        }
    }

    /**
     * @param ofPins whether the sites have pins, of which it is also known how long each lasted,
     *     and for how long others waited because of them; otherwise they computed
     */
    SiteSlices(int mostSlices, boolean ofPins) {
        this.mostSlices = mostSlices;
        width = ofPins ? 3 : 2;
        mostLongs = ofPins ? MAX_LONGS_OF_PINS : MAX_LONGS_OF_COMPUTING;
    }

    /**
     * The held time of a site in some interval.
     *
     * @param waitedNanos for how long others waited because of it; 0 if it computed
     * @param durations its pins that ended in the interval; none if it computed
     */
    record Amounts(long count, long nanos, long waitedNanos, DurationCounts durations) {
        static final Amounts NOTHING = new Amounts(0, 0, 0, DurationCounts.NONE);

        /** Returns the increase since {@code before}; a figure that has shrunk counts as 0. */
        Amounts since(Amounts before) {
            return new Amounts(
                    Math.max(count - before.count, 0),
                    Math.max(nanos - before.nanos, 0),
                    Math.max(waitedNanos - before.waitedNanos, 0),
                    durations.since(before.durations));
        }
    }

    /** Adds a slice, whose first second is {@code from}. */
    void add(long from, Map<S, Amounts> held) {
        Slice added = slice(from, held);
        slices.addLast(added);
        longs += added.longs();
        while (slices.size() > mostSlices || longs > mostLongs) {
            longs -= slices.removeFirst().longs();
        }
    }

    private Slice slice(long from, Map<S, Amounts> held) {
        long[] rows = new long[held.size() * width];
        LongStream.Builder durations = LongStream.builder();
        int row = 0;
        for (Map.Entry<S, Amounts> site : held.entrySet()) {
            long index = (long) indexOf(site.getKey()) << 32;
            rows[row++] = index | Math.min(site.getValue().count(), COUNT_MASK);
            rows[row++] = site.getValue().nanos();
            if (width > 2) {
                rows[row++] = site.getValue().waitedNanos();
            }
            DurationCounts counts = site.getValue().durations();
            for (int bucket = 0; bucket < counts.buckets(); bucket++) {
                if (counts.count(bucket) > 0) {
                    durations.add(
                            index
                                    | ((long) bucket << BUCKET_SHIFT)
                                    | Math.min(counts.count(bucket), COUNT_OF_BUCKET_MASK));
                }
            }
        }
        return new Slice(from, rows, durations.build().toArray());
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
     * Returns the held time in the slices that begin at or after {@code from} and before {@code
     * to}, by site, in nanoseconds.
     */
    Map<S, Long> heldNanos(long from, long to) {
        Map<S, Long> sum = new HashMap<>();
        for (Slice slice : slices) {
            for (int row = 0;
                    slice.from >= from && slice.from < to && row < slice.rows.length;
                    row += width) {
                sum.merge(
                        sites.get((int) (slice.rows[row] >>> 32)), slice.rows[row + 1], Long::sum);
            }
        }
        return sum;
    }

    /** The slices that begin from {@code from} on, each as {@link #numbers} has it. */
    List<long[]> rows(long from) {
        return slices.stream().filter(slice -> slice.from >= from).map(this::numbers).toList();
    }

    /** A slice that is not added, as {@link #numbers} has it. */
    long[] row(long from, Map<S, Amounts> held) {
        return numbers(slice(from, held));
    }

    /** The slices that begin from {@code from} on, each as {@link #durations} has it. */
    List<long[]> durationRows(long from) {
        return slices.stream()
                .filter(slice -> slice.from >= from)
                .map(SiteSlices::durations)
                .toList();
    }

    /** A slice that is not added, as {@link #durations} has it. */
    long[] durationRow(long from, Map<S, Amounts> held) {
        return durations(slice(from, held));
    }

    /**
     * The slice's first second, then of each site its index in {@link #sites}, its count and its
     * microseconds, and of pins those for which others waited.
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

    /**
     * The slice's first second, then of each site and bucket in which pins ended the site's index
     * in {@link #sites}, the bucket and the number of pins.
     */
    private static long[] durations(Slice slice) {
        long[] numbers = new long[1 + 3 * slice.durations.length];
        numbers[0] = slice.from;
        int at = 1;
        for (long entry : slice.durations) {
            numbers[at++] = entry >>> 32;
            numbers[at++] = (entry >>> BUCKET_SHIFT) & BUCKET_MASK;
            numbers[at++] = entry & COUNT_OF_BUCKET_MASK;
        }
        return numbers;
    }
}
