package io.vtagent.cli;

import io.vtagent.options.Durations;

/**
 * How much more carrier time may be held than before; of two limits, both have to be exceeded.
 *
 * @param share of what it was, or negative if there is no such limit
 * @param nanosPerUnit or negative
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
        return new BadInputException("--fail-above is \"" + text
                + "\", expected a percentage such as 5%, a duration per unit such as 10ms, or both as 5%,10ms");
    }

    /** Growth by a percentage alone has to be notable, too: from nothing to next to nothing is any percentage. */
    boolean isExceededBy(Comparison comparison) {
        double growth = comparison.growth();
        boolean byShare = share < 0 || comparison.growthShare() > share;
        boolean byTime = nanosPerUnit < 0 ? comparison.isNotable(growth) : growth > nanosPerUnit;
        return byShare && byTime;
    }
}
