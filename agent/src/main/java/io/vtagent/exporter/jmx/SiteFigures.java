package io.vtagent.exporter.jmx;

import io.vtagent.report.PinReport.Held;

/**
 * The pins of a site, as the MXBean returns them: {@code CompositeData} with an item for each
 * component.
 *
 * @param heldSeconds estimated if there are samples
 * @param waitingSeconds how long virtual threads were queued because of these pins, summed over the
 *     threads
 * @param longestSeconds an upper bound if the longest pin was before the last reset
 * @param samples the number of samples that a part of the pins rests on; 0 if all figures are exact
 */
public record SiteFigures(
        String site,
        String caller,
        String operation,
        String kind,
        long pins,
        double heldSeconds,
        double waitingSeconds,
        double longestSeconds,
        long pinsInProgress,
        long samples,
        String advice) {
    static SiteFigures of(Held held) {
        return new SiteFigures(
                held.site().site(),
                held.site().caller(),
                held.site().operation(),
                held.site().kind().label(),
                held.figures().count(),
                held.figures().nanos() / 1e9,
                held.waitedNanos() / 1e9,
                held.figures().longestNanos() / 1e9,
                held.figures().inProgress().count(),
                held.figures().samples().count(),
                held.advice());
    }
}
