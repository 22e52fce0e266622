package io.vtagent.demo.finding;

import io.vtagent.demo.finding.PinnedWorkload.Sort;
import io.vtagent.demo.model.Result;
import java.util.Map;

/** The percentage of the pins of a {@link PinnedWorkload} that a tool has found. */
final class FoundShare {

    static final String FOUND = "found, %";
    private static final String KNOWN = "known, s";

    private FoundShare() {}

    static Result known(Map<Sort, Double> seconds) {
        Result result =
                Result.of(KNOWN, seconds.values().stream().mapToDouble(Double::doubleValue).sum());
        for (Map.Entry<Sort, Double> sort : seconds.entrySet()) {
            result = result.with(sort.getKey().what, sort.getValue());
        }
        return result;
    }

    /** In all, and for each sort. */
    static Result bySort(double foundSeconds, Map<Sort, Double> found, Result known) {
        Result result =
                Result.of(FOUND, percent(foundSeconds, known.figure(KNOWN)))
                        .with(KNOWN, known.figure(KNOWN));
        for (Sort sort : Sort.values()) {
            if (known.figures().containsKey(sort.what)) {
                double seconds = found.getOrDefault(sort, 0.0);
                result = result.with(sort.what + ", %", percent(seconds, known.figure(sort.what)));
            }
        }
        return result;
    }

    static Result total(double foundSeconds, Result known) {
        return Result.of(FOUND, percent(foundSeconds, known.figure(KNOWN)))
                .with(KNOWN, known.figure(KNOWN));
    }

    private static double percent(double part, double whole) {
        return Math.round(100 * part / whole);
    }
}
