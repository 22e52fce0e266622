package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The divisors of the held time of two reports, which make them comparable.
 *
 * @param unit the unit of the divisors, in the singular
 */
record Normalization(double before, double after, String unit) {
    private static final Pattern COUNTS = Pattern.compile("([0-9]{1,15})(?:,([0-9]{1,15}))?");
    private static final double NANOS_PER_SECOND = 1e9;

    /** Divides by the measured seconds. */
    static Normalization second(PinReport before, PinReport after) {
        return new Normalization(
                before.uptimeNanos() / NANOS_PER_SECOND,
                after.uptimeNanos() / NANOS_PER_SECOND,
                "second");
    }

    /**
     * Divides by counts.
     *
     * @param counts {@code OLD,NEW}, or one number for both
     */
    static Normalization counts(String counts, @Nullable String unit) {
        Matcher matcher = COUNTS.matcher(counts);
        if (matcher.matches()) {
            double before = Double.parseDouble(matcher.group(1));
            double after = matcher.group(2) == null ? before : Double.parseDouble(matcher.group(2));
            if (before > 0 && after > 0) {
                return new Normalization(before, after, unit == null ? "unit" : unit);
            }
        }
        throw new BadInputException(
                "--per is \""
                        + counts
                        + "\", expected the counts of the old and the new run, both above 0, such"
                        + " as 120000,118500");
    }

    double ofBefore(long nanos) {
        return before == 0 ? 0 : nanos / before;
    }

    double ofAfter(long nanos) {
        return after == 0 ? 0 : nanos / after;
    }
}
