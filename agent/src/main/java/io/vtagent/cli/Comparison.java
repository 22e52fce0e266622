package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.util.Comparator;
import java.util.List;

/** Two reports, site by site. Rates are nanoseconds of held carrier time per unit of {@link Per}. */
record Comparison(PinReport before, PinReport after, Per per, List<Row> rows, int ambiguous) {
    /** What holds carriers for less than this part of the time is nothing to act on, as in the report itself. */
    private static final double NOTABLE_PART = 1e-4;

    /** A site. */
    record Row(SitePair pair, double rateBefore, double rateAfter) {
        double growth() {
            return rateAfter - rateBefore;
        }
    }

    /** What grew most comes first. */
    static Comparison of(PinReport before, PinReport after, Per per) {
        SitePairs pairs = SitePairs.of(before, after);
        List<Row> rows = pairs.pairs().stream()
                .map(pair -> new Row(
                        pair,
                        per.ofBefore(pair.figuresBefore().nanos()),
                        per.ofAfter(pair.figuresAfter().nanos())))
                .sorted(Comparator.comparingDouble(Row::growth).reversed())
                .toList();
        return new Comparison(before, after, per, rows, pairs.ambiguous());
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

    /** As a part of what it was; infinite where it was nothing. */
    double growthShare() {
        return growth() == 0 ? 0 : growth() / rateBefore();
    }

    /** Whether all of {@code rate} in the new run comes to something that anybody would act on. */
    boolean isNotable(double rate) {
        return Math.abs(rate) * per.after() >= after.uptimeNanos() * NOTABLE_PART;
    }

    boolean isNotable(Row row) {
        return isNotable(row.rateAfter()) || row.rateBefore() * per.before() >= before.uptimeNanos() * NOTABLE_PART;
    }
}
