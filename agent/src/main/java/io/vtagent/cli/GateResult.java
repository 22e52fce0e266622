package io.vtagent.cli;

import io.vtagent.cli.Comparison.Row;
import io.vtagent.pin.PinSite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a gate as cases, in the form that build servers list.
 *
 * @param name the command
 * @param cases in the order of the command's text
 * @param warnings facts that do not fail the gate, but that a reader of the change should see
 */
record GateResult(String name, List<GateCase> cases, List<Finding> warnings) {
    private static final String CHECK = "vt-agent.check";
    private static final String DIFF = "vt-agent.diff";

    /**
     * Returns one case for each limit.
     *
     * @param blind what the report lacks
     */
    static GateResult ofCheck(Limits limits, List<Finding> violations, List<Finding> blind) {
        List<GateCase> cases =
                limits.names().stream()
                        .map(
                                limit -> {
                                    List<Finding> own =
                                            violations.stream()
                                                    .filter(each -> each.limit().equals(limit))
                                                    .toList();
                                    return new GateCase(CHECK, limit, !own.isEmpty(), own);
                                })
                        .toList();
        return new GateResult(CHECK, cases, blind);
    }

    /**
     * Returns a case for the held time in all, and one for each site that grew notably. The sites
     * fail if the whole does.
     *
     * @param limit null if nothing can fail
     */
    static GateResult ofDiff(Comparison comparison, @Nullable GrowthLimit limit) {
        boolean failed = limit != null && limit.isExceededBy(comparison);
        String name = limit == null ? "held time" : "--fail-above " + limit.given();
        Finding whole =
                new Finding(
                        name,
                        "carrier time held per "
                                + comparison.per().unit()
                                + ": "
                                + growth(
                                        comparison.rateBefore(),
                                        comparison.rateAfter(),
                                        comparison.growth())
                                + Rate.share(comparison.growthShare()),
                        null);
        List<Finding> grown =
                comparison.rows().stream()
                        .filter(row -> row.growth() > 0 && comparison.isNotable(row.growth()))
                        .map(row -> grown(name, comparison.per().unit(), row))
                        .toList();
        List<GateCase> cases = new ArrayList<>();
        cases.add(new GateCase(DIFF, name, failed, List.of(whole)));
        for (Finding site : grown) {
            if (site.site() != null) {
                PinSite key = site.site().site();
                cases.add(
                        new GateCase(
                                SiteName.className(key.caller(), DIFF),
                                SiteName.withKind(key) + " in " + key.operation(),
                                failed,
                                List.of(site)));
            }
        }
        return new GateResult(DIFF, cases, limit == null ? grown : List.of());
    }

    private static Finding grown(String limit, String unit, Row row) {
        return new Finding(
                limit,
                growth(row.rateBefore(), row.rateAfter(), row.growth())
                        + " per "
                        + unit
                        + " at "
                        + SiteName.withKind(row.pair().newest().site()),
                row.pair().newest());
    }

    private static String growth(double before, double after, double growth) {
        return Rate.of(before) + " before, " + Rate.of(after) + " now: " + Rate.growth(growth);
    }

    List<GateCase> failed() {
        return cases.stream().filter(GateCase::failed).toList();
    }
}
