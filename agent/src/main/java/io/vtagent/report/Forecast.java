package io.vtagent.report;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Jvm;
import io.vtagent.report.PinReport.Total;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The forecast of the held time on JDK 24 and later, where neither monitors (JEP 491) nor selectors
 * pin. All times are in nanoseconds.
 *
 * @param goesNanos held only by monitors or selectors
 * @param staysNanos held by native frames, class initializers, waits for classes, file I/O or
 *     native calls
 * @param unknownNanos held by a monitor or a bracketed operation, with a stack that was not walked
 * @param remaining the sites of {@code staysNanos}, the longest first
 */
public record Forecast(
        long goesNanos, long staysNanos, long unknownNanos, List<Remaining> remaining) {

    /**
     * A site that stays.
     *
     * @param holder what would hold the carrier then, if it is not the site itself: the native
     *     frame below a monitor
     */
    public record Remaining(String site, String kind, long nanos, @Nullable String holder) {}

    /** The forecast for the pins of one site. */
    public enum OfSite {
        /** Only something that does not pin there holds the carrier. */
        GOES,
        /** Something else holds the carrier, too. */
        STAYS,
        /** There is no stack. */
        UNKNOWN
    }

    static OfSite of(Site site, Jvm jvm) {
        PinnedStack stack = site.stack();
        if (stack == null) {
            return OfSite.UNKNOWN;
        }
        boolean goes =
                site.key().kind() == PinKind.IO
                        ? BracketedOperation.of(stack) == BracketedOperation.UNMOUNTS
                        : site.reason() == PinReason.MONITOR && !ClassWaits.isOne(site, jvm);
        return goes && stack.nativeFrame() == null ? OfSite.GOES : OfSite.STAYS;
    }

    /** Returns whether the forecast for such pins depends on their stack. */
    private static boolean dependsOnStack(PinKind kind, PinReason reason) {
        return reason == PinReason.MONITOR || kind == PinKind.IO;
    }

    /**
     * @param sites read before {@code totals}, so that they do not exceed them
     */
    static Forecast of(Map<Site, Figures> sites, List<Total> totals, Jvm jvm) {
        long openNanos = 0;
        long staysNanos = 0;
        for (Total total : totals) {
            if (dependsOnStack(total.key().kind(), total.key().reason())) {
                openNanos += total.figures().nanos();
            } else {
                staysNanos += total.figures().nanos();
            }
        }
        long goesNanos = 0;
        List<Remaining> remaining = new ArrayList<>();
        for (Map.Entry<Site, Figures> measured : sites.entrySet()) {
            Site site = measured.getKey();
            PinnedStack stack = site.stack();
            long nanos = measured.getValue().nanos();
            if (stack == null || nanos == 0) {
                continue;
            }
            String kind = site.key().kind().label();
            if (of(site, jvm) == OfSite.GOES) {
                goesNanos += nanos;
                openNanos -= nanos;
                continue;
            }
            if (dependsOnStack(site.key().kind(), site.reason())) {
                staysNanos += nanos;
                openNanos -= nanos;
            }
            remaining.add(new Remaining(site.key().site(), kind, nanos, stack.nativeFrame()));
        }
        remaining.sort(Comparator.comparingLong(Remaining::nanos).reversed());
        return new Forecast(goesNanos, staysNanos, Math.max(openNanos, 0), remaining);
    }

    /** Returns the forecast as a clause. */
    String inWords() {
        long all = goesNanos + staysNanos + unknownNanos;
        String text =
                "on JDK 24 and later "
                        + share(goesNanos, all)
                        + " of it ("
                        + HumanFormat.duration(goesNanos)
                        + ") would go away, "
                        + HumanFormat.duration(staysNanos)
                        + " would stay";
        return unknownNanos == 0
                ? text
                : text
                        + ", of "
                        + HumanFormat.duration(unknownNanos)
                        + " it is not known (no stack)";
    }

    private static String share(long part, long all) {
        long percent = all == 0 ? 0 : part * 100 / all;
        return percent + " %";
    }
}
