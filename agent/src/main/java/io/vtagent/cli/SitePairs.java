package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.util.List;

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
        Pairs<PinReport.Held> pairs =
                Pairs.of(
                        before.sites(),
                        after.sites(),
                        PinReport.Held::site,
                        held -> SiteName.withoutLines(held.site()));
        return new SitePairs(
                pairs.pairs().stream()
                        .map(pair -> new SitePair(pair.before(), pair.after()))
                        .toList(),
                pairs.ambiguous());
    }
}
