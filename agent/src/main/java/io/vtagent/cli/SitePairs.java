package io.vtagent.cli;

import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The sites of two reports, in pairs. A site is paired with the one of the same name. A site
 * without such a partner is paired with one in the same method, of the same operation and kind, if
 * each report has only one there.
 *
 * @param ambiguous the number of new sites that may be gone ones on another line, but cannot be
 *     paired because there are several in their method
 */
record SitePairs(List<SitePair> pairs, int ambiguous) {

    static SitePairs of(PinReport before, PinReport after) {
        List<SitePair> pairs = new ArrayList<>();
        Map<PinSite, List<Held>> old = by(UnaryOperator.identity(), before.sites());
        List<Held> unknown = new ArrayList<>();
        for (Held site : after.sites()) {
            List<Held> same = old.remove(site.site());
            if (same == null) {
                unknown.add(site);
            } else {
                pairs.add(new SitePair(same.getFirst(), site));
            }
        }
        List<Held> rest = old.values().stream().flatMap(List::stream).toList();
        int ambiguous = pairByMethod(rest, unknown, pairs);
        return new SitePairs(pairs, ambiguous);
    }

    private static int pairByMethod(List<Held> old, List<Held> unknown, List<SitePair> pairs) {
        Map<PinSite, List<Held>> oldByMethod = by(SiteName::withoutLines, old);
        int ambiguous = 0;
        for (Map.Entry<PinSite, List<Held>> inMethod :
                by(SiteName::withoutLines, unknown).entrySet()) {
            List<Held> candidates = oldByMethod.getOrDefault(inMethod.getKey(), List.of());
            if (candidates.size() == 1 && inMethod.getValue().size() == 1) {
                pairs.add(new SitePair(candidates.getFirst(), inMethod.getValue().getFirst()));
                oldByMethod.remove(inMethod.getKey());
                continue;
            }
            inMethod.getValue().forEach(site -> pairs.add(new SitePair(null, site)));
            ambiguous += candidates.isEmpty() ? 0 : inMethod.getValue().size();
        }
        oldByMethod
                .values()
                .forEach(gone -> gone.forEach(site -> pairs.add(new SitePair(site, null))));
        return ambiguous;
    }

    private static Map<PinSite, List<Held>> by(
            UnaryOperator<PinSite> name, Collection<Held> sites) {
        Map<PinSite, List<Held>> byName = new LinkedHashMap<>();
        for (Held site : sites) {
            byName.computeIfAbsent(name.apply(site.site()), first -> new ArrayList<>()).add(site);
        }
        return byName;
    }
}
