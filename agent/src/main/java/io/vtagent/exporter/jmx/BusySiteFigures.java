package io.vtagent.exporter.jmx;

import io.vtagent.report.PinReport.BusyPlace;

/**
 * The code that computed on carriers at one site, as the MXBean returns it: {@code CompositeData}
 * with an item for each component.
 *
 * @param spells how often a thread began to compute here
 * @param busySeconds carrier time, estimated
 * @param longestSeconds an upper bound if the longest spell was before the last reset
 */
public record BusySiteFigures(
        String site, String caller, long spells, double busySeconds, double longestSeconds) {
    static BusySiteFigures of(BusyPlace busy) {
        return new BusySiteFigures(
                busy.site(),
                busy.caller(),
                busy.count(),
                busy.nanos() / 1e9,
                busy.longestNanos() / 1e9);
    }
}
