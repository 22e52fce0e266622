package io.vtagent.report;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinSite;
import io.vtagent.record.PinTotals;
import io.vtagent.record.Site;
import io.vtagent.record.Totals;
import io.vtagent.vm.HeldStack;
import io.vtagent.watch.Diagnosis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a report says, at the moment it was made. All times are in nanoseconds.
 *
 * @param uptimeNanos since the agent began
 * @param totals by time, the longest first
 * @param sites by time, the longest first; with those that stand for many they add up to the totals
 * @param active pins in progress, which are not in the totals
 * @param forecast what would become of it where monitors do not pin
 */
public record PinReport(
        Jvm jvm,
        long uptimeNanos,
        List<Total> totals,
        List<Held> sites,
        Active active,
        Forecast forecast,
        Starved starved,
        Relieved relieved) {

    /**
     * Where it was measured.
     *
     * @param agent the agent's version
     * @param java the JVM's version
     * @param carriers whether virtual threads share carriers
     * @param monitorsPin whether a thread that holds a monitor cannot unmount
     * @param sensors by label; the reason why one does not work, empty if it does
     */
    public record Jvm(String agent, String java, boolean carriers, boolean monitorsPin, Map<String, String> sensors) {

        /** Which of the two worlds this is, as a sentence. */
        public String world() {
            if (!carriers) {
                return "virtual threads have no carriers in this JVM, nothing can be pinned";
            }
            return monitorsPin
                    ? "a monitor pins a virtual thread to its carrier in this JVM"
                    : "monitors do not pin in this JVM; native frames and class initializers do";
        }
    }

    /** The pins of one key. */
    public record Total(PinKey key, long count, long nanos, long longestNanos) {}

    /**
     * The pins of one site.
     *
     * @param stack of the first pin; null for a site that stands for many
     * @param advice what to do about it
     */
    public record Held(
            PinSite site,
            long count,
            long nanos,
            long longestNanos,
            @Nullable HeldStack stack,
            String advice) {}

    public record Active(int count, long longestNanos) {
        String inWords() {
            return Quantity.pins(count) + " in progress, the oldest for " + Quantity.duration(longestNanos);
        }
    }

    /**
     * Periods in which every carrier was held while virtual threads waited for one.
     *
     * @param nanos their sum
     * @param diagnosis of the newest one that lasted long enough
     * @param now whether that is in progress
     */
    public record Starved(
            long periods, long nanos, @Nullable Diagnosis diagnosis, boolean now) {
        /** None. */
        public static final Starved NEVER = new Starved(0, 0, null, false);
    }

    /**
     * What relief did.
     *
     * @param carriers that were added
     * @param pins that were made up for
     * @param nanos carrier time that was made up for
     */
    public record Relieved(boolean on, long carriers, long pins, long nanos) {
        /** Relief is off. */
        public static final Relieved OFF = new Relieved(false, 0, 0, 0);
    }

    /** Makes the report of what {@code ledger} holds now. */
    public static PinReport of(
            Ledger ledger, List<ActivePin> active, Starved starved, Relieved relieved, Jvm jvm, long uptimeNanos) {
        List<Forecast.Measured> measured = new ArrayList<>();
        // before the totals, which are recorded first: so the sites do not exceed them
        List<Held> sites = new ArrayList<>();
        for (Site site : ledger.sites()) {
            String advice = Advice.on(site);
            long nanos = site.nanos();
            measured.add(new Forecast.Measured(site, nanos));
            sites.add(new Held(site.key(), site.count(), nanos, site.longestNanos(), site.stack(), advice));
        }
        Totals totals = ledger.totals();
        for (PinKind kind : PinKind.values()) {
            PinTotals rest = totals.unattributed(kind);
            if (rest.count() > 0) {
                sites.add(new Held(
                        PinSite.unattributed(kind),
                        rest.count(),
                        rest.nanos(),
                        rest.longestNanos(),
                        null,
                        Advice.NO_STACK));
            }
        }
        sites.sort(Comparator.comparingLong(Held::nanos).reversed());
        List<Total> byKey = new ArrayList<>();
        for (Map.Entry<PinKey, PinTotals> entry : totals.byKey().entrySet()) {
            PinTotals total = entry.getValue();
            byKey.add(new Total(entry.getKey(), total.count(), total.nanos(), total.longestNanos()));
        }
        byKey.sort(Comparator.comparingLong(Total::nanos).reversed());
        long oldest = active.stream().mapToLong(ActivePin::ageNanos).max().orElse(0);
        Forecast forecast = Forecast.of(measured, totals);
        return new PinReport(
                jvm, uptimeNanos, byKey, sites, new Active(active.size(), oldest), forecast, starved, relieved);
    }

    public long nanos() {
        return totals.stream().mapToLong(Total::nanos).sum();
    }

    public long count() {
        return totals.stream().mapToLong(Total::count).sum();
    }
}
