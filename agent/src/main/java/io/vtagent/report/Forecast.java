package io.vtagent.report;

import io.vtagent.record.PinReason;
import io.vtagent.record.Site;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Total;
import io.vtagent.vm.PinnedStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What would become of the held time on JDK 24 and later, where monitors do not pin (JEP 491). All times are in nanoseconds.
 *
 * @param goesNanos held by monitors and nothing else
 * @param staysNanos held by native frames, class initializers, file I/O or native calls
 * @param unknownNanos held by a monitor, with a stack that was not walked
 * @param remaining the sites of {@code staysNanos}, the longest first
 */
public record Forecast(long goesNanos, long staysNanos, long unknownNanos, List<Remaining> remaining) {

    /**
     * A site that stays.
     *
     * @param holder what would hold the carrier then, if it is not the site itself: the native frame below a monitor
     */
    public record Remaining(
            String site, String kind, long nanos, @Nullable String holder) {}

    /** What would become of the pins of one site. */
    public enum OfSite {
        /** Nothing but a monitor holds the carrier. */
        GOES,
        /** Something else does, too. */
        STAYS,
        /** There is no stack. */
        UNKNOWN
    }

    static OfSite of(Site site) {
        PinnedStack stack = site.stack();
        if (stack == null) {
            return OfSite.UNKNOWN;
        }
        return site.reason() == PinReason.MONITOR && stack.nativeFrame() == null ? OfSite.GOES : OfSite.STAYS;
    }

    /** @param sites read before {@code totals}, so that they do not exceed them */
    static Forecast of(Map<Site, Figures> sites, List<Total> totals) {
        long monitorNanos = 0;
        long otherNanos = 0;
        for (Total total : totals) {
            if (total.key().reason() == PinReason.MONITOR) {
                monitorNanos += total.figures().nanos();
            } else {
                otherNanos += total.figures().nanos();
            }
        }
        long goesNanos = 0;
        long monitorStaysNanos = 0;
        List<Remaining> remaining = new ArrayList<>();
        for (Map.Entry<Site, Figures> measured : sites.entrySet()) {
            Site site = measured.getKey();
            PinnedStack stack = site.stack();
            long nanos = measured.getValue().nanos();
            if (stack == null || nanos == 0) {
                continue;
            }
            if (of(site) == OfSite.GOES) {
                goesNanos += nanos;
                continue;
            }
            monitorStaysNanos += site.reason() == PinReason.MONITOR ? nanos : 0;
            String kind = site.key().kind().label();
            remaining.add(new Remaining(site.key().site(), kind, nanos, stack.nativeFrame()));
        }
        remaining.sort(Comparator.comparingLong(Remaining::nanos).reversed());
        long unknownNanos = Math.max(monitorNanos - goesNanos - monitorStaysNanos, 0);
        return new Forecast(goesNanos, otherNanos + monitorStaysNanos, unknownNanos, remaining);
    }

    /** As a sentence. */
    String inWords() {
        long all = goesNanos + staysNanos + unknownNanos;
        String text = "on JDK 24 and later " + share(goesNanos, all) + " of it (" + Quantity.duration(goesNanos)
                + ") would go away with the monitors, " + Quantity.duration(staysNanos) + " would stay";
        return unknownNanos == 0
                ? text
                : text + ", of " + Quantity.duration(unknownNanos) + " it is not known (no stack)";
    }

    private static String share(long part, long all) {
        long percent = all == 0 ? 0 : part * 100 / all;
        return percent + " %";
    }
}
