package io.vtagent.report;

import static io.vtagent.report.TextReport.LINE;
import static io.vtagent.report.TextReport.PREFIX;

import io.vtagent.json.BadJsonException;
import io.vtagent.json.JsonFields;
import io.vtagent.json.JsonText;
import io.vtagent.report.PinReport.Busy;
import io.vtagent.report.PinReport.BusyPlace;
import io.vtagent.usage.BusySite;
import io.vtagent.usage.BusySites;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The busy carriers in a report: as figures, text and JSON. */
public final class BusyReport {
    /** The advice on code that computes. */
    public static final String ADVICE =
            "Virtual threads share no time slices, so code that computes keeps its carrier from all"
                    + " others: run it on a bounded pool of platform threads, call Thread.yield()"
                    + " every so often, or let fewer threads compute at a time.";

    private static final int MAX_SITES_OF_TEXT = 5;

    private BusyReport() {}

    /**
     * Returns the figures until now.
     *
     * @param sites null if they are not measured
     */
    public static Busy of(@Nullable BusySites sites) {
        if (sites == null) {
            return Busy.OFF;
        }
        List<BusyPlace> all = new ArrayList<>();
        for (BusySite site : sites.sites()) {
            all.add(
                    new BusyPlace(
                            site.site(),
                            site.caller(),
                            site.count(),
                            site.nanos(),
                            site.longestNanos(),
                            site.stack()));
        }
        return new Busy(true, sites.carriers(), sorted(all));
    }

    private static List<BusyPlace> sorted(List<BusyPlace> sites) {
        sites.sort(Comparator.comparingLong(BusyPlace::nanos).reversed());
        return List.copyOf(sites);
    }

    /** Returns what {@code later} has more than {@code base}. */
    static Busy since(Busy base, Busy later) {
        Map<List<String>, BusyPlace> before = new HashMap<>();
        base.sites().forEach(site -> before.put(key(site), site));
        List<BusyPlace> since = new ArrayList<>();
        for (BusyPlace site : later.sites()) {
            BusyPlace then = before.get(key(site));
            long count = Math.max(site.count() - (then == null ? 0 : then.count()), 0);
            long nanos = Math.max(site.nanos() - (then == null ? 0 : then.nanos()), 0);
            long longest = then == null ? 0 : then.longestNanos();
            if (count > 0 || nanos > 0) {
                since.add(
                        new BusyPlace(
                                site.site(),
                                site.caller(),
                                count,
                                nanos,
                                site.longestNanos() > longest
                                        ? site.longestNanos()
                                        : Math.min(site.longestNanos(), nanos),
                                site.stack()));
            }
        }
        return new Busy(later.on(), later.carriers(), sorted(since));
    }

    private static List<String> key(BusyPlace site) {
        return List.of(site.site(), site.caller());
    }

    static void write(JsonText json, Busy busy, JsonReport.Detail detail) {
        if (!busy.on()) {
            return;
        }
        json.field("busyCarriers", busy.carriers());
        if (detail == JsonReport.Detail.NO_SITES) {
            return;
        }
        json.objects(
                "busy",
                busy.sites(),
                site -> {
                    json.field("caller", site.caller());
                    json.field("site", site.site());
                    json.field("count", site.count());
                    json.field("busyNanos", site.nanos());
                    json.field("longestNanos", site.longestNanos());
                    if (detail == JsonReport.Detail.ALL && !site.stack().isEmpty()) {
                        json.strings("stack", site.stack());
                    }
                });
    }

    /** Reads what {@link #write} has written; older reports have nothing of it. */
    static Busy read(JsonFields report) throws BadJsonException {
        if (!report.has("busyCarriers")) {
            return Busy.OFF;
        }
        List<BusyPlace> sites =
                !report.has("busy")
                        ? List.of()
                        : report.objects(
                                "busy",
                                site ->
                                        new BusyPlace(
                                                site.text("site"),
                                                site.text("caller"),
                                                site.number("count"),
                                                site.number("busyNanos"),
                                                site.number("longestNanos"),
                                                site.has("stack")
                                                        ? site.strings("stack")
                                                        : List.of()));
        return new Busy(true, (int) report.number("busyCarriers"), sites);
    }

    /** Returns the section of the text; empty if no carrier was busy. */
    static String text(PinReport report) {
        Busy busy = report.busy();
        if (busy.sites().isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder(PREFIX);
        text.append("busy: ").append(inWords(report)).append(LINE);
        int rank = 1;
        for (BusyPlace site : busy.sites()) {
            if (site.isRare() || rank > MAX_SITES_OF_TEXT) {
                continue;
            }
            text.append("  ").append(rank++).append(". ").append(site.caller());
            text.append(site.caller().equals(site.site()) ? "" : ", in " + site.site());
            text.append("  ").append(HumanFormat.duration(site.nanos(), true));
            if (site.count() > 0) { // else the threads had begun to compute elsewhere
                text.append(", seen in ").append(spells(site.count()));
                text.append(", longest ").append(HumanFormat.duration(site.longestNanos()));
            }
            text.append(LINE);
        }
        boolean none = rank == 1;
        int more = busy.sites().size() - (rank - 1);
        if (more > 0) {
            text.append(none ? "  " : "  and ").append(more).append(none ? "" : " more");
            text.append(more == 1 ? " site" : " sites")
                    .append(none ? ", each seen too rarely" : "");
            text.append(LINE);
        }
        if (!none || spells(busy) >= BusyPlace.MIN_SPELLS) {
            text.append("   ").append(ADVICE).append(LINE);
        }
        return text.toString();
    }

    /** Returns a clause on all of them. */
    public static String inWords(PinReport report) {
        Busy busy = report.busy();
        double all = (double) report.scheduler().parallelism() * report.uptimeNanos();
        return "virtual threads computed without unmounting for "
                + HumanFormat.duration(busy.nanos(), true)
                + ", seen in "
                + spells(spells(busy))
                + (all == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", %.1f %% of the scheduler",
                                100 * Math.min(busy.nanos() / all, 1)))
                + (busy.carriers() == 0
                        ? ""
                        : "; "
                                + busy.carriers()
                                + (busy.carriers() == 1 ? " carrier" : " carriers")
                                + " busy now");
    }

    private static long spells(Busy busy) {
        return busy.sites().stream().mapToLong(BusyPlace::count).sum();
    }

    private static String spells(long count) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "spell" : "spells");
    }
}
