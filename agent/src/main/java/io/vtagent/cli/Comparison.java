package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.util.Comparator;
import java.util.List;

/**
 * A comparison of two reports, site by site. Rates are nanoseconds of held carrier time per unit of
 * {@link Normalization}.
 */
record Comparison(
        PinReport before,
        PinReport after,
        Normalization per,
        List<Row> rows,
        int ambiguous,
        BusyComparison busy) {
    /**
     * A site that holds carriers for less than this part of the time is not worth acting on. The
     * report has the same threshold.
     */
    private static final double NOTABLE_PART = 1e-4;

    /**
     * A site and its rates.
     *
     * @param waitingGrowth how much longer others waited because of it
     */
    record Row(SitePair pair, double rateBefore, double rateAfter, double waitingGrowth) {
        double growth() {
            return rateAfter - rateBefore;
        }
    }

    /** Compares two reports. The rows are in the order of growth, the largest first. */
    static Comparison of(PinReport before, PinReport after, Normalization per) {
        SitePairs pairs = SitePairs.of(before, after);
        List<Row> rows =
                pairs.pairs().stream()
                        .map(
                                pair ->
                                        new Row(
                                                pair,
                                                per.ofBefore(pair.figuresBefore().nanos()),
                                                per.ofAfter(pair.figuresAfter().nanos()),
                                                per.ofAfter(pair.waitedAfterNanos())
                                                        - per.ofBefore(pair.waitedBeforeNanos())))
                        .sorted(Comparator.comparingDouble(Row::growth).reversed())
                        .toList();
        return new Comparison(
                before, after, per, rows, pairs.ambiguous(), BusyComparison.of(before, after, per));
    }

    double rateBefore() {
        return per.ofBefore(before.nanos());
    }

    double rateAfter() {
        return per.ofAfter(after.nanos());
    }

    double growth() {
        return rateAfter() - rateBefore();
    }

    /** Returns the growth as a part of the old rate; infinite if the old rate was 0. */
    double growthShare() {
        return growth() == 0 ? 0 : growth() / rateBefore();
    }

    /** Returns whether {@code rate} adds up to a time in the new run that is worth acting on. */
    boolean isNotable(double rate) {
        return Math.abs(rate) * per.after() >= after.uptimeNanos() * NOTABLE_PART;
    }

    boolean isNotable(Row row) {
        return isNotable(row.rateBefore(), row.rateAfter());
    }

    /** Returns whether either rate adds up to a time that is worth acting on. */
    boolean isNotable(double rateBefore, double rateAfter) {
        return isNotable(rateAfter)
                || rateBefore * per.before() >= before.uptimeNanos() * NOTABLE_PART;
    }
}
