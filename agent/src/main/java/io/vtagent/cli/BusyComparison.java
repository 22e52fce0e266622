package io.vtagent.cli;

import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.BusyPlace;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the code that computed on carriers in two runs. Rates are nanoseconds of carrier
 * time per unit of {@link Normalization}.
 *
 * @param rows in the order of growth, the largest first
 */
record BusyComparison(List<Row> rows) {
    /**
     * A site in two reports.
     *
     * @param before null if the site is new
     * @param after null if the site is gone
     */
    record Row(
            @Nullable BusyPlace before,
            @Nullable BusyPlace after,
            double rateBefore,
            double rateAfter) {
        double growth() {
            return rateAfter - rateBefore;
        }

        SitePair.Status status() {
            return SitePair.Status.of(
                    before,
                    after,
                    before != null && after != null && name(before).equals(name(after)));
        }

        /** Returns the entry with the newest name of the site. */
        BusyPlace newest() {
            return after != null ? after : Objects.requireNonNull(before);
        }
    }

    /** Compares two reports. There are no rows if one of the runs did not measure it. */
    static BusyComparison of(PinReport before, PinReport after, Normalization per) {
        if (!before.busy().on() || !after.busy().on()) {
            return new BusyComparison(List.of());
        }
        return new BusyComparison(
                Pairs.of(
                                before.busy().sites(),
                                after.busy().sites(),
                                BusyComparison::name,
                                BusyComparison::method)
                        .pairs()
                        .stream()
                        .map(
                                pair ->
                                        new Row(
                                                pair.before(),
                                                pair.after(),
                                                per.ofBefore(nanos(pair.before())),
                                                per.ofAfter(nanos(pair.after()))))
                        .sorted(Comparator.comparingDouble(Row::growth).reversed())
                        .toList());
    }

    private static List<String> name(BusyPlace site) {
        return List.of(site.site(), site.caller());
    }

    private static List<String> method(BusyPlace site) {
        return List.of(SiteName.method(site.site()), SiteName.method(site.caller()));
    }

    private static long nanos(@Nullable BusyPlace site) {
        return site == null ? 0 : site.nanos();
    }
}
