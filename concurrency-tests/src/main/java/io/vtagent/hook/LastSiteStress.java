package io.vtagent.hook;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.SiteTable;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two threads add the same site to a table that has room for one. One may get {@code (other)} while
 * the other adds the site, but not once the table is full.
 */
@JCStressTest
@Outcome(
        id = "true, true",
        expect = ACCEPTABLE,
        desc = "both have the site, or the table was not full")
@Outcome(expect = FORBIDDEN, desc = "one has (other), though its site is in the table")
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
    public void first(ZZ_Result result) {
        result.r1 = has();
    }

    @Actor
    public void second(ZZ_Result result) {
        result.r2 = has();
    }

    private boolean has() {
        boolean wasFull = table.isFull();
        return table.siteOf(key, PinReason.MONITOR, STACK).key().equals(key) || !wasFull;
    }
}
