package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;

/** Durations as the page prints them: rounded, with their unit, and a sign if they are growth. */
final class Durations {
    /** Of a few kinds of pins, which are printed in hundredths of seconds. */
    static final Offset<Double> SUM_OF_ROUNDED = within(15e6);

    private static final Map<String, Double> NANOS =
            Map.of("s", 1e9, "ms", 1e6, "\u00b5s", 1e3, "ns", 1.0);
    private static final Pattern DURATION =
            Pattern.compile("([+\u2212]?)([\\d,.]+) (s|ms|\u00b5s|ns)(?!\\w)");

    private Durations() {}

    /** The first duration in the text, in nanoseconds; 0 of a dash, which stands for nothing. */
    static double nanosOf(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.find()) {
            if (text.equals("\u2013")) {
                return 0;
            }
            throw new AssertionError("no duration: " + text);
        }
        double nanos =
                Double.parseDouble(matcher.group(2).replace(",", ""))
                        * NANOS.getOrDefault(matcher.group(3), Double.NaN);
        return matcher.group(1).equals("\u2212") ? -nanos : nanos;
    }

    /** Asserts that the first duration in the text is {@code nanos}, but for rounding. */
    static void assertPrinted(String text, double nanos) {
        Matcher matcher = DURATION.matcher(text);
        double unit = matcher.find() ? NANOS.getOrDefault(matcher.group(3), 1.0) : 1;
        double digit = unit == 1e9 ? 0.01 : unit == 1e6 ? 0.1 : 1;
        assertThat(nanosOf(text)).as(text).isCloseTo(nanos, within(0.51 * digit * unit));
    }

    /** The growth in the text under a flame graph. */
    static double growthIn(String tip) {
        return nanosOf(tip.substring(tip.indexOf("  ") + 2));
    }
}
