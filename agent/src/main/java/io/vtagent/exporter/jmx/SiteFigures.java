package io.vtagent.exporter.jmx;

import io.vtagent.report.PinReport.Held;

/**
 * The pins of a site, as the MXBean tells them: {@code CompositeData} with an item for each
 * component.
 *
 * @param longestSeconds since the last reset, or more than that if it was before
 */
public record SiteFigures(
        String site,
        String caller,
        String operation,
        String kind,
        long pins,
        double heldSeconds,
        double longestSeconds,
        long pinsInProgress,
        String advice) {
    static SiteFigures of(Held held) {
        return new SiteFigures(
                held.site().site(),
                held.site().caller(),
                held.site().operation(),
                held.site().kind().label(),
                held.figures().count(),
                held.figures().nanos() / 1e9,
                held.figures().longestNanos() / 1e9,
                held.figures().inProgress().count(),
                held.advice());
    }
}
