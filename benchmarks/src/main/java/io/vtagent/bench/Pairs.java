package io.vtagent.bench;

import io.vtagent.bench.Row.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;

/**
 * The times of two programs that take turns. Each round is compared with itself, because a machine
 * changes its pace in the course of minutes, and the median round counts.
 */
record Pairs(List<Double> without, List<Double> with) {

    /** The median of the rounds, and the quartiles. */
    record Summary(double median, double low, double high) {
        static Summary of(double[] rounds) {
            double[] sorted = rounds.clone();
            Arrays.sort(sorted);
            return new Summary(
                    quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75));
        }

        private static double quantile(double[] sorted, double part) {
            double at = part * (sorted.length - 1);
            int below = (int) at;
            int above = Math.min(below + 1, sorted.length - 1);
            return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
        }

        /** Returns whether a quarter of the rounds is within the limit; the rest may be noise. */
        Verdict atMost(double limit) {
            return low <= limit ? Verdict.MET : Verdict.MISSED;
        }

        /** See {@link #atMost}. */
        Verdict atLeast(double limit) {
            return high >= limit ? Verdict.MET : Verdict.MISSED;
        }

        /** {@code format} is for one figure. A single round has no quartiles. */
        String text(String format, String unit) {
            if (low == high) {
                return String.format(Locale.ROOT, format + unit, median);
            }
            return String.format(
                    Locale.ROOT,
                    format + unit + " (" + format + " to " + format + ")",
                    median,
                    low,
                    high);
        }
    }

    static double median(List<Double> values) {
        return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray()).median();
    }

    /** Returns what the agent adds, in the unit of the figures. */
    Summary differences() {
        return each((before, after) -> after - before);
    }

    /** Returns the share of a throughput that is left with the agent. */
    Summary ratios() {
        return each((before, after) -> after / before);
    }

    private Summary each(DoubleBinaryOperator comparison) {
        double[] rounds = new double[with.size()];
        for (int round = 0; round < rounds.length; round++) {
            rounds[round] = comparison.applyAsDouble(without.get(round), with.get(round));
        }
        return Summary.of(rounds);
    }
}
