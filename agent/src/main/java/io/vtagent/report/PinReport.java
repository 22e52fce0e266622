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
 */
public record PinReport(Jvm jvm, long uptimeNanos, List<Total> totals, List<Held> sites, Active active) {

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

    /** Makes the report of what {@code ledger} holds now. */
    public static PinReport of(Ledger ledger, Jvm jvm, long uptimeNanos) {
        List<ActivePin> active = ledger.active();
        // before the totals, which are recorded first: so the sites do not exceed them
        List<Held> sites = new ArrayList<>();
        for (Site site : ledger.sites()) {
            String advice = Advice.on(site);
            sites.add(new Held(site.key(), site.count(), site.nanos(), site.longestNanos(), site.stack(), advice));
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
        return new PinReport(jvm, uptimeNanos, byKey, sites, new Active(active.size(), oldest));
    }

    public long nanos() {
        return totals.stream().mapToLong(Total::nanos).sum();
    }

    public long count() {
        return totals.stream().mapToLong(Total::count).sum();
    }
}
