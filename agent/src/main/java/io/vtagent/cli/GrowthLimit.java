package io.vtagent.cli;

import io.vtagent.options.Durations;

/**
 * How much more carrier time may be held than before.
 *
 * @param share of what it was, or negative if the limit is a duration
 * @param nanosPerUnit or negative
 */
record GrowthLimit(String given, double share, long nanosPerUnit) {
    static GrowthLimit parse(String text) {
        double share = Percentage.parse(text);
        long nanos = share >= 0 ? -1 : Durations.parse(text);
        if (share < 0 && nanos < 0) {
            throw new BadInputException("--fail-above is \"" + text
                    + "\", expected a percentage such as 5%, or a duration per unit such as 10ms");
        }
        return new GrowthLimit(text, share, nanos);
    }

    /** Growth by a percentage has to be notable, too: from nothing to next to nothing is any percentage. */
    boolean isExceededBy(Comparison comparison) {
        double growth = comparison.growth();
        if (nanosPerUnit >= 0) {
            return growth > nanosPerUnit;
        }
        return comparison.growthShare() > share && comparison.isNotable(growth);
    }
}
