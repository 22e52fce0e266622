package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PinSiteTest {
    private static final PinSite SITE = new PinSite("A.a:1", "B.b:2", "C.c", PinKind.PARK);

    @Test
    void whatDiffersInOnePartIsAnotherSite() {
        List<PinSite> others =
                List.of(
                        new PinSite("A.a:9", "B.b:2", "C.c", PinKind.PARK),
                        new PinSite("A.a:1", "B.b:9", "C.c", PinKind.PARK),
                        new PinSite("A.a:1", "B.b:2", "C.d", PinKind.PARK),
                        new PinSite("A.a:1", "B.b:2", "C.c", PinKind.WAIT));
        assertThat(others).doesNotContain(SITE);
        // hooks search for sites: each part has an effect on its place in a table
        assertThat(others).map(PinSite::hashCode).doesNotContain(SITE.hashCode());
        assertThat(new PinSite("A.a:1", "B.b:2", "C.c", PinKind.PARK))
                .isEqualTo(SITE)
                .hasSameHashCodeAs(SITE);
    }

    @Test
    void whatStandsForManyIsNoPlace() {
        assertThat(PinSite.unattributed(PinKind.PARK).isForMany()).isTrue();
        assertThat(PinSite.other(PinKind.PARK).isForMany()).isTrue();
        assertThat(SITE.isForMany()).isFalse();
    }

    /** As holder and caller of a site often are. */
    @Test
    void partsThatAreExchangedAreAnotherHash() {
        assertThat(new PinSite("B.b:2", "A.a:1", "C.c", PinKind.PARK).hashCode())
                .isNotEqualTo(SITE.hashCode());
        assertThat(new PinSite("A.a:1", "C.c", "B.b:2", PinKind.PARK).hashCode())
                .isNotEqualTo(SITE.hashCode());
    }
}
