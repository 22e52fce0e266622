package io.vtagent.exporter.history;

import io.vtagent.pin.PinKind;
import java.util.Arrays;

/**
 * A ring of the newest seconds, a number for each of {@link Column}. Seconds are counted from the
 * agent's beginning. Not thread-safe.
 */
final class Columns {
    /** The figures that are kept of a second. */
    enum Column {
        /**
         * Carriers that were held, the mean over the second, in thousandths; of the first kind, and
         * so on.
         */
        HELD_PARK,
        HELD_WAIT,
        HELD_ENTER,
        HELD_IO,
        HELD_CLASS_INIT,
        HELD_NATIVE,
        HELD_JVM,
        /** Carriers that existed. */
        CARRIERS,
        /** Virtual threads that were ready to run and had no carrier. */
        QUEUED,
        /**
         * The delay of virtual threads that started to run, in microseconds: the mean over the
         * second, or how long one has been waiting.
         */
        DELAY,
        /** For how much of the second every carrier was held with work queued, in milliseconds. */
        STARVED,
        /** Carriers that relief has added. */
        ADDED,
        /** Carriers that were lost, the mean over the second, in thousandths. */
        LOST,
        /** Carriers by what they did, the mean over the second, in thousandths; and so on. */
        TIME_HELD,
        TIME_RUNNING,
        TIME_RUNNABLE,
        TIME_IDLE;

        static Column held(PinKind kind) {
            return values()[kind.ordinal()];
        }
    }

    private final int capacity;
    private final int[][] values;
    private long next;
    private long first;

    Columns(int capacity) {
        this.capacity = capacity;
        values = new int[Column.values().length][capacity];
    }

    /** The oldest second that is kept. */
    long first() {
        return first;
    }

    /** The second after the newest. */
    long next() {
        return next;
    }

    /** Begins at {@code second}, where nothing is kept yet. */
    void beginAt(long second) {
        first = second;
        next = second;
    }

    /** Adds a second. {@code row} is indexed by {@link Column}. */
    void add(long[] row) {
        int slot = (int) (next % capacity);
        for (int column = 0; column < row.length; column++) {
            values[column][slot] = (int) Math.min(row[column], Integer.MAX_VALUE);
        }
        next++;
        first = Math.max(first, next - capacity);
    }

    /** The values from {@code from} on, which is kept or the next. */
    long[] from(Column column, long from) {
        long[] result = new long[(int) (next - from)];
        Arrays.setAll(result, i -> values[column.ordinal()][(int) ((from + i) % capacity)]);
        return result;
    }
}
