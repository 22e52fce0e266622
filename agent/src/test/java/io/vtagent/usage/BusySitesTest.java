package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BusySitesTest {
    private final BusySites sites = new BusySites(3);

    @Test
    void holderAndCallerMakeASite() {
        BusySite site = sites.siteOf(stack("A.a:1", "B.b:2"));

        assertThat(sites.siteOf(stack("A.a:1", "B.b:2"))).isSameAs(site);
        assertThat(sites.siteOf(stack("A.a:1", "B.b:9"))).isNotSameAs(site);
        assertThat(sites.siteOf(stack("A.a:9", "B.b:2"))).isNotSameAs(site);
        assertThat(site.site()).isEqualTo("A.a:1");
        assertThat(site.caller()).isEqualTo("B.b:2");
        assertThat(site.stack()).containsExactly("A.a(A.java:1)");
    }

    @Test
    void aHolderWithoutACallerOfInterestIsItsOwn() {
        BusySite site = sites.siteOf(stack("A.a:1", null));

        assertThat(site.caller()).isEqualTo("A.a:1");
        assertThat(sites.siteOf(stack("A.a:1", "A.a:1"))).isSameAs(site);
    }

    @Test
    void sitesBeyondTheMostAreOneAndWhatHasNoStackIsAnother() {
        for (int line = 1; line <= 3; line++) {
            assertThat(sites.siteOf(stack("A.a:" + line, null)).site()).isEqualTo("A.a:" + line);
        }
        BusySite rest = sites.siteOf(stack("A.a:4", null));
        assertThat(rest.site()).isEqualTo(rest.caller()).isEqualTo(PinSite.OTHER);
        assertThat(rest.stack()).isEmpty();
        assertThat(sites.siteOf(stack("A.a:5", null))).isSameAs(rest);
        assertThat(sites.siteOf(stack("A.a:3", null)).site()).as("known").isEqualTo("A.a:3");
        assertThat(sites.siteOf(null).site()).isEqualTo(PinSite.UNATTRIBUTED);
    }

    @Test
    void timeCountsWhereItWasSampledAndTheSpellWhereItBegan() {
        BusySite first = sites.siteOf(stack("A.a:1", null));
        BusySite later = sites.siteOf(stack("A.a:2", null));
        first.addSpell();
        first.addNanos(3_000);
        first.lasted(3_000);
        later.addNanos(4_000);
        first.lasted(7_000);
        first.addSpell();
        first.addNanos(2_000);
        first.lasted(2_000);

        assertThat(first.count()).isEqualTo(2);
        assertThat(first.nanos()).isEqualTo(5_000);
        assertThat(first.longestNanos()).isEqualTo(7_000);
        assertThat(later.count()).isZero();
        assertThat(later.nanos()).isEqualTo(4_000);
        assertThat(later.longestNanos()).isZero();
    }

    @Test
    void onlySitesWithTimeOrASpellAreListed() {
        BusySite withSpell = sites.siteOf(stack("A.a:1", null));
        BusySite withTime = sites.siteOf(stack("A.a:2", null));
        BusySite unattributed = sites.siteOf(null);
        BusySite withNothing = sites.siteOf(stack("A.a:3", null));
        assertThat(sites.sites()).isEmpty();

        withSpell.addSpell();
        withTime.addNanos(1);
        withSpell.lasted(1);
        unattributed.addNanos(1);
        withSpell.lasted(1);
        assertThat(sites.sites())
                .containsExactlyInAnyOrder(withSpell, withTime, unattributed)
                .doesNotContain(withNothing);
    }

    @Test
    void theNumberOfBusyCarriersIsTheNewest() {
        assertThat(sites.carriers()).isZero();
        sites.carriers(4);
        sites.carriers(2);
        assertThat(sites.carriers()).isEqualTo(2);
    }

    private static PinnedStack stack(String holder, @Nullable String caller) {
        return new PinnedStack(
                List.of("A.a(A.java:1)"),
                0,
                holder,
                PinnedStack.Cause.NONE,
                null,
                "A.a",
                caller,
                null,
                Map.of());
    }
}
