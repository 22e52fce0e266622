package io.vtagent.exporter.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.exporter.history.SiteSlices.Held;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinSite;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SiteSlicesTest {
    private static final PinSite A = site(1);
    private static final PinSite B = site(2);

    private final SiteSlices<PinSite> slices = new SiteSlices<>(3, true);

    @Test
    void aPeriodIsTheSumOfItsSlices() {
        slices.add(0, Map.of(A, new Held(1, 5_000, 300)));
        slices.add(10, Map.of(A, new Held(2, 7_000, 40), B, new Held(1, 1_000, 0)));
        slices.add(20, Map.of(B, new Held(4, 9_000, 2)));

        assertThat(slices.sum(0, 20))
                .isEqualTo(Map.of(A, new Held(3, 12_000, 340), B, new Held(1, 1_000, 0)));
        assertThat(slices.sum(10, 11))
                .isEqualTo(Map.of(A, new Held(2, 7_000, 40), B, new Held(1, 1_000, 0)));
        assertThat(slices.sum(10, 10)).isEmpty();
        assertThat(slices.sum(20, Long.MAX_VALUE)).isEqualTo(Map.of(B, new Held(4, 9_000, 2)));
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        for (int from = 0; from < 50; from += 10) {
            slices.add(from, Map.of(A, new Held(1, from, 2L * from)));
        }

        assertThat(slices.sum(0, Long.MAX_VALUE)).isEqualTo(Map.of(A, new Held(3, 90, 180)));
    }

    @Test
    void whereManySitesPinAllTheTimeItGoesBackLessFar() {
        SiteSlices<PinSite> many = new SiteSlices<>(Integer.MAX_VALUE, true);
        Map<PinSite, Held> thousand = new LinkedHashMap<>();
        IntStream.range(0, 1_000).forEach(i -> thousand.put(site(i), new Held(1, 1_000, 0)));
        int most = SiteSlices.MAX_ENTRIES / 1_000;
        for (int slice = 0; slice < most + 2; slice++) {
            many.add(slice * 10L, thousand);
        }

        assertThat(many.rows(0)).hasSize(most);
        assertThat(many.rows(0).getFirst()[0]).isEqualTo(20);
        assertThat(many.sites()).hasSize(1_000);
    }

    @Test
    void aSliceIsTellingItsSecondAndOfEachSiteIndexCountAndMicroseconds() {
        slices.add(10, Map.of(A, new Held(2, 7_999, 4_999)));
        slices.add(20, Map.of(B, new Held(1L << 40, 1_000, 0)));

        assertThat(slices.sites()).containsExactly(A, B);
        assertThat(slices.rows(0))
                .containsExactly(
                        new long[] {10, 0, 2, 7, 4}, new long[] {20, 1, (1L << 32) - 1, 1, 0});
        assertThat(slices.rows(20)).hasSize(1);
    }

    @Test
    void aSliceThatIsNotAddedIsReportedAndNotKept() {
        assertThat(slices.row(30, Map.of(B, new Held(3, 5_000, 6_000))))
                .containsExactly(30, 0, 3, 5, 6);
        assertThat(slices.rows(0)).isEmpty();
        assertThat(slices.sites()).containsExactly(B);
    }

    @Test
    void whereItIsNotKnownForHowLongOthersWaitedNothingIsSaidOfIt() {
        SiteSlices<PinSite> computing = new SiteSlices<>(2, false);
        for (int from = 0; from < 30; from += 10) {
            computing.add(from, Map.of(A, new Held(from, 7_000, 0), B, new Held(1, 1_000, 0)));
        }

        assertThat(computing.rows(0)).hasSize(2).allMatch(row -> row.length == 7);
        assertThat(computing.sum(20, 30).get(A)).isEqualTo(new Held(20, 7_000, 0));
        assertThat(computing.row(30, Map.of(B, new Held(3, 5_000, 0)))).endsWith(3, 5).hasSize(4);
    }

    private static PinSite site(int line) {
        return new PinSite(
                "shop.A.a:" + line, "shop.A.a:" + line, "java.lang.Thread.sleep", PinKind.PARK);
    }
}
