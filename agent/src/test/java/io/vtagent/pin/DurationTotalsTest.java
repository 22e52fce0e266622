package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DurationTotalsTest {
    @Test
    void twoAreTogetherTheirCountsAndTimesAndTheLongestOfBoth() {
        DurationTotals one = totals(Buckets.FINE, 2, 5_000, 4_000);
        DurationTotals other = totals(Buckets.FINE, 3, 10_000, 9_000);
        for (DurationTotals both : new DurationTotals[] {one.plus(other), other.plus(one)}) {
            assertThat(both.count()).isEqualTo(5);
            assertThat(both.nanos()).isEqualTo(15_000);
            assertThat(both.longestNanos()).isEqualTo(9_000);
        }
        assertThat(one.count()).as("which stays as it was").isEqualTo(2);
    }

    private static DurationTotals totals(
            Buckets buckets, long count, long nanos, long longestNanos) {
        DurationTotals totals = new DurationTotals(buckets);
        totals.add(0, count, nanos);
        totals.longest(longestNanos);
        return totals;
    }
}
