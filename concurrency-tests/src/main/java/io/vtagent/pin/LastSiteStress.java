package io.vtagent.pin;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Two threads add the same site to a table that has room for one. One may get {@code (other)} while
 * the other adds the site, but not once the table is full. Then it has that site, once.
 */
@JCStressTest
@Outcome(
        id = "true, true, true",
        expect = ACCEPTABLE,
        desc = "both have the site, or the table was not full; it is there once")
@Outcome(
        expect = FORBIDDEN,
        desc = "one has (other) though the table was full, or the site is not there once")
@State
public class LastSiteStress {
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(),
                    -1,
                    "A.a:1",
                    PinnedStack.Cause.NONE,
                    null,
                    "synchronized",
                    null,
                    null,
                    Map.of());

    private final SiteTable table = new SiteTable(1);
    private final PinSite key = new PinSite("A.a:1", "A.a:1", "synchronized", PinKind.PARK);

    @Actor
    public void first(ZZZ_Result result) {
        result.r1 = has();
    }

    @Actor
    public void second(ZZZ_Result result) {
        result.r2 = has();
    }

    @Arbiter
    public void table(ZZZ_Result result) {
        List<Site> sites = table.sites();
        result.r3 = table.isFull() && sites.size() == 1 && sites.get(0).key().equals(key);
    }

    private boolean has() {
        boolean wasFull = table.isFull();
        return table.siteOf(key, PinReason.MONITOR, STACK).key().equals(key) || !wasFull;
    }
}
