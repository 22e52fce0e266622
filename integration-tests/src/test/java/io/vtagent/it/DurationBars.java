package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** The chart of how long the pins of an open site lasted. */
final class DurationBars {
    private static final List<String> RANGES =
            List.of(
                    "< 100 \u00b5s",
                    "100\u2013200 \u00b5s",
                    "200\u2013500 \u00b5s",
                    "500 \u00b5s\u20131 ms",
                    "1\u20132 ms",
                    "2\u20135 ms",
                    "5\u201310 ms",
                    "10\u201320 ms",
                    "20\u201350 ms",
                    "50\u2013100 ms",
                    "100\u2013200 ms",
                    "200\u2013500 ms",
                    "500 ms\u20131 s",
                    "1\u20132 s",
                    "2\u20135 s",
                    "5\u201310 s",
                    "\u2265 10 s");

    /** A bar's text: its series if there are two, the number of pins, their share. */
    private static final Pattern TEXT = Pattern.compile("(?:(old|new) )?([\\d,]+)(?: \\(.+ %\\))?");

    /** Of each row the range, and of each of its bars the text and the width in pixels. */
    private static final String ROWS =
            "[...document.querySelectorAll('.durations li')].map(row =>"
                    + " [row.querySelector('.range').innerText,"
                    + " ...[...row.querySelectorAll('.bar')].flatMap(bar => [bar.innerText,"
                    + " bar.querySelector('.fill')?.getBoundingClientRect().width ?? 0])])";

    private DurationBars() {}

    /**
     * Asserts that the chart has these pins by bucket, as the API has them, one array or the old
     * and the new one, from the shortest duration to the longest, as long as their shares.
     */
    static void assertDrawn(Browser browser, long[]... series) {
        List<?> rows = (List<?>) Objects.requireNonNull(browser.script(ROWS));
        int first = RANGES.size();
        int last = 0;
        for (long[] counts : series) {
            for (int bucket = 0; bucket < counts.length; bucket++) {
                if (counts[bucket] > 0) {
                    first = Math.min(first, bucket);
                    last = Math.max(last, bucket);
                }
            }
        }
        assertThat(rows).hasSize(last - first + 1).hasSizeGreaterThan(1);
        double[] pixelsPerShare = new double[series.length];
        for (int i = 0; i < rows.size(); i++) {
            List<?> row = (List<?>) rows.get(i);
            assertThat(row.get(0)).isEqualTo(RANGES.get(first + i));
            assertThat(row).hasSize(1 + 2 * series.length);
            for (int one = 0; one < series.length; one++) {
                long count = first + i < series[one].length ? series[one][first + i] : 0;
                Matcher text = TEXT.matcher((String) row.get(1 + 2 * one));
                assertThat(text.matches()).as("%s", row).isTrue();
                assertThat(text.group(1))
                        .isEqualTo(series.length == 1 ? null : one == 0 ? "old" : "new");
                assertThat(Long.parseLong(text.group(2).replace(",", ""))).isEqualTo(count);
                double width = ((Number) row.get(2 + 2 * one)).doubleValue();
                double share = (double) count / LongStream.of(series[one]).sum();
                assertThat(width > 0).isEqualTo(count > 0);
                if (width > 50) { // the shortest ones are seen nevertheless
                    pixelsPerShare[one] = width / share;
                }
            }
        }
        double most = Arrays.stream(pixelsPerShare).max().orElse(0);
        assertThat(most).isPositive();
        for (double pixels : pixelsPerShare) {
            assertThat(pixels).isCloseTo(most, within(most / 20));
        }
    }

    /**
     * The pins by bucket of the site with that index in the history, in the slice from a second.
     */
    static long[] inSlice(Json history, int site, int from) {
        long[] counts = new long[RANGES.size()];
        for (Json slice : history.get("durationSlices").list()) {
            List<Json> row = slice.list();
            for (int at = 1; row.get(0).number() == from && at < row.size(); at += 3) {
                if (row.get(at).number() == site) {
                    counts[(int) row.get(at + 1).number()] += (long) row.get(at + 2).number();
                }
            }
        }
        return counts;
    }

    /** The pins of a site of a report by bucket; nothing if none has ended. */
    static long[] of(Json site) {
        Json durations = site.get("durations");
        return durations.value() == null
                ? new long[0]
                : durations.list().stream().mapToLong(n -> (long) n.number()).toArray();
    }
}
