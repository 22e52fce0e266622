package io.vtagent.cli;

import io.vtagent.options.Durations;

/**
 * The limit on the growth of held carrier time. If two limits are given, both have to be exceeded.
 *
 * @param share the growth as a part of the old rate; negative if there is no such limit
 * @param nanosPerUnit the growth in nanoseconds per unit; negative if there is no such limit
 */
record GrowthLimit(String given, double share, long nanosPerUnit) {
    static GrowthLimit parse(String text) {
        double share = -1;
        long nanos = -1;
        for (String part : text.split(",", -1)) {
            double percentage = Percentage.parse(part);
            long duration = Durations.parse(part);
            if (percentage >= 0 && share < 0) {
                share = percentage;
            } else if (duration >= 0 && nanos < 0) {
                nanos = duration;
            } else {
                throw bad(text);
            }
        }
        return new GrowthLimit(text, share, nanos);
    }

    private static BadInputException bad(String text) {
        return new BadInputException(
                "--fail-above is \""
                        + text
                        + "\", expected a percentage such as 5%, a duration per unit such as 10ms,"
                        + " or both as 5%,10ms");
    }

    /**
     * Returns whether the growth exceeds the limit. If only a percentage is given, the growth also
     * has to be notable, because growth from nothing to almost nothing exceeds any percentage.
     */
    boolean isExceededBy(Comparison comparison) {
        double growth = comparison.growth();
        boolean byShare = share < 0 || comparison.growthShare() > share;
        boolean byTime = nanosPerUnit < 0 ? comparison.isNotable(growth) : growth > nanosPerUnit;
        return byShare && byTime;
    }
}
