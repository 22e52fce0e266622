package io.vtagent.exporter.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.exporter.history.SiteSlices.Amounts;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteSlicesTest {
    private static final PinSite A = site(1);
    private static final PinSite B = site(2);

    private final SiteSlices<PinSite> slices = new SiteSlices<>(3, true);

    @Test
    void aPeriodIsTheSumOfItsSlices() {
        slices.add(0, Map.of(A, held(1, 5_000, 300)));
        slices.add(10, Map.of(A, held(2, 7_000, 40), B, held(1, 1_000, 0)));
        slices.add(20, Map.of(B, held(4, 9_000, 2)));

        assertThat(slices.heldNanos(0, 20)).isEqualTo(Map.of(A, 12_000L, B, 1_000L));
        assertThat(slices.heldNanos(10, 11)).isEqualTo(Map.of(A, 7_000L, B, 1_000L));
        assertThat(slices.heldNanos(10, 10)).isEmpty();
        assertThat(slices.heldNanos(20, Long.MAX_VALUE)).isEqualTo(Map.of(B, 9_000L));
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        for (int from = 0; from < 50; from += 10) {
            slices.add(from, Map.of(A, held(1, from, 2L * from, 0, 1)));
        }

        assertThat(slices.heldNanos(0, Long.MAX_VALUE)).isEqualTo(Map.of(A, 90L));
        assertThat(slices.rows(0)).extracting(row -> row[0]).containsExactly(20L, 30L, 40L);
        assertThat(slices.durationRows(0)).extracting(row -> row[0]).containsExactly(20L, 30L, 40L);
    }

    @ParameterizedTest
    @CsvSource({"0, 144", "1, 108", "3, 72", "17, 21"})
    void whereManySitesPinAllTheTimeItGoesBackLessFar(int buckets, int most) {
        SiteSlices<PinSite> many = new SiteSlices<>(Integer.MAX_VALUE, true);
        long[] durations = new long[buckets];
        Arrays.fill(durations, 1);
        Map<PinSite, Amounts> thousand = new LinkedHashMap<>();
        IntStream.range(0, 1_000).forEach(i -> thousand.put(site(i), held(1, 1_000, 0, durations)));
        for (int slice = 0; slice < most + 2; slice++) {
            many.add(slice * 10L, thousand);
        }

        assertThat(many.rows(0)).hasSize(most);
        assertThat(many.rows(0).getFirst()[0]).isEqualTo(20);
        assertThat(many.durationRows(0)).hasSize(most);
        assertThat(many.sites()).hasSize(1_000);
        assertThat(most * 1_000 * (3 + buckets))
                .as("3.5 MB")
                .isLessThanOrEqualTo(SiteSlices.MAX_LONGS_OF_PINS)
                .isLessThan(3_500_000 / Long.BYTES);
    }

    @Test
    void aSliceHasItsSecondAndOfEachSiteIndexCountAndMicroseconds() {
        slices.add(10, Map.of(A, held(2, 7_999, 4_999)));
        slices.add(20, Map.of(B, held(1L << 40, 1_000, 0)));

        assertThat(slices.sites()).containsExactly(A, B);
        assertThat(slices.rows(0))
                .containsExactly(
                        new long[] {10, 0, 2, 7, 4}, new long[] {20, 1, (1L << 32) - 1, 1, 0});
        assertThat(slices.rows(20)).hasSize(1);
    }

    @Test
    void ofDurationsASliceHasOnlyTheBucketsInWhichPinsEnded() {
        Map<PinSite, Amounts> both = new LinkedHashMap<>();
        both.put(A, held(5, 7_000, 0, 3, 0, 2));
        both.put(B, held(1, 1_000, 0));
        slices.add(10, both);
        slices.add(
                20,
                Map.of(B, held(1, 1_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)));
        slices.add(30, Map.of(A, held(1, 1_000, 0, 0, 1L << 40)));

        assertThat(slices.durationRows(0))
                .containsExactly(
                        new long[] {10, 0, 0, 3, 0, 2, 2},
                        new long[] {20, 1, 16, 9},
                        new long[] {30, 0, 1, (1L << 27) - 1});
        assertThat(slices.durationRows(30)).hasSize(1);
    }

    @Test
    void aSliceThatIsNotAddedIsReportedAndNotKept() {
        Map<PinSite, Amounts> held = Map.of(B, held(3, 5_000, 6_000, 0, 3));

        assertThat(slices.row(30, held)).containsExactly(30, 0, 3, 5, 6);
        assertThat(slices.durationRow(30, held)).containsExactly(30, 0, 1, 3);
        assertThat(slices.rows(0)).isEmpty();
        assertThat(slices.durationRows(0)).isEmpty();
        assertThat(slices.sites()).containsExactly(B);
    }

    @Test
    void ofComputingThereAreNeitherWaitsNorDurations() {
        SiteSlices<PinSite> computing = new SiteSlices<>(2, false);
        for (int from = 0; from < 30; from += 10) {
            computing.add(from, Map.of(A, held(from, 7_000, 0), B, held(1, 1_000, 0)));
        }

        assertThat(computing.rows(0)).hasSize(2).allMatch(row -> row.length == 7);
        assertThat(computing.durationRows(0)).hasSize(2).allMatch(row -> row.length == 1);
        assertThat(computing.heldNanos(20, 30).get(A)).isEqualTo(7_000);
        assertThat(computing.row(30, Map.of(B, held(3, 5_000, 0)))).endsWith(3, 5).hasSize(4);
    }

    /** Returns figures with the pins that ended, by bucket of their duration. */
    private static Amounts held(long count, long nanos, long waitedNanos, long... durations) {
        return new Amounts(count, nanos, waitedNanos, DurationCounts.of(durations));
    }

    private static PinSite site(int line) {
        return new PinSite(
                "shop.A.a:" + line, "shop.A.a:" + line, "java.lang.Thread.sleep", PinKind.PARK);
    }
}
