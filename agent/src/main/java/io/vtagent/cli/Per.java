package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the held time of two reports is divided by, so that they can be compared.
 *
 * @param unit of what, in the singular
 */
record Per(double before, double after, String unit) {
    private static final Pattern COUNTS = Pattern.compile("([0-9]{1,15})(?:,([0-9]{1,15}))?");
    private static final double NANOS_PER_SECOND = 1e9;

    /** The seconds that were measured. */
    static Per second(PinReport before, PinReport after) {
        return new Per(before.uptimeNanos() / NANOS_PER_SECOND, after.uptimeNanos() / NANOS_PER_SECOND, "second");
    }

    /** @param counts {@code OLD,NEW} or one for both */
    static Per counts(String counts, @Nullable String unit) {
        Matcher matcher = COUNTS.matcher(counts);
        if (matcher.matches()) {
            double before = Double.parseDouble(matcher.group(1));
            double after = matcher.group(2) == null ? before : Double.parseDouble(matcher.group(2));
            if (before > 0 && after > 0) {
                return new Per(before, after, unit == null ? "unit" : unit);
            }
        }
        throw new BadInputException(
                "--per is \"" + counts
                        + "\", expected how often it was done in the old and in the new run, both above 0, such as 120000,118500");
    }

    double ofBefore(long nanos) {
        return before == 0 ? 0 : nanos / before;
    }

    double ofAfter(long nanos) {
        return after == 0 ? 0 : nanos / after;
    }
}
