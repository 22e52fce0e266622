package io.vtagent.exporter.jmx;

import io.vtagent.report.PinReport;
import java.util.LinkedHashMap;
import java.util.Map;

/** The moments that clients have marked: the newest {@link #MAX_MARKS}. Thread-safe. */
final class Marks {
    static final int MAX_MARKS = 100;

    private final Map<Long, Mark> marks = new LinkedHashMap<>();
    private long newest;

    /**
     * The figures at a moment.
     *
     * @param keeper what kept single pins, by its identity: another one counts from 0
     * @param pins the number of single pins that it had received
     */
    record Mark(PinReport report, long atNanos, Object keeper, long pins) {}

    synchronized long add(Mark mark) {
        newest++;
        marks.put(newest, mark);
        if (marks.size() > MAX_MARKS) {
            marks.remove(marks.keySet().iterator().next());
        }
        return newest;
    }

    /**
     * @throws IllegalArgumentException if there is none of that number, or not any more
     */
    synchronized Mark get(long number) {
        Mark mark = marks.get(number);
        if (mark == null) {
            throw new IllegalArgumentException(
                    "mark is "
                            + number
                            + ", expected a result of mark(); the newest "
                            + MAX_MARKS
                            + " are kept");
        }
        return mark;
    }

    synchronized void remove(long number) {
        marks.remove(number);
    }
}
