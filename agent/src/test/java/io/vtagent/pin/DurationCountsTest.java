package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DurationCountsTest {
    @Test
    void zerosAtTheEndDoNotMatter() {
        assertThat(DurationCounts.of(1, 0, 2, 0)).isEqualTo(DurationCounts.of(1, 0, 2));
        assertThat(DurationCounts.of(1, 0, 2, 0)).hasSameHashCodeAs(DurationCounts.of(1, 0, 2));
        assertThat(DurationCounts.of(1, 0, 2, 0).toArray()).containsExactly(1, 0, 2);
        assertThat(DurationCounts.of(0, 0)).isEqualTo(DurationCounts.NONE);
        assertThat(DurationCounts.of(1, 2)).isNotEqualTo(DurationCounts.of(2, 1));
        assertThat(DurationCounts.of(0, 3, 4).count()).isEqualTo(7);
        assertThat(DurationCounts.of(0, 3, 4).count(1)).isEqualTo(3);
        assertThat(DurationCounts.of(0, 3, 4).count(9)).isZero();
    }

    @Test
    void sumAndIncreaseAreThoseOfEachBucket() {
        DurationCounts early = DurationCounts.of(1, 0, 2);
        DurationCounts late = DurationCounts.of(1, 5, 3, 4);

        assertThat(early.plus(late)).isEqualTo(DurationCounts.of(2, 5, 5, 4));
        assertThat(late.plus(early)).isEqualTo(DurationCounts.of(2, 5, 5, 4));
        assertThat(late.plus(DurationCounts.NONE)).isEqualTo(late);
        assertThat(late.since(early)).isEqualTo(DurationCounts.of(0, 5, 1, 4));
        assertThat(late.since(DurationCounts.NONE)).isEqualTo(late);
        assertThat(late.since(late)).isSameAs(DurationCounts.NONE);
        assertThat(early.since(late)).as("it has shrunk").isEqualTo(DurationCounts.NONE);
        assertThat(DurationCounts.of(3, 1).since(DurationCounts.of(1, 2, 9)))
                .isEqualTo(DurationCounts.of(2));
    }

    @Test
    void nobodyCanChangeIt() {
        long[] given = {1, 2};
        DurationCounts counts = DurationCounts.of(given);
        given[0] = 7;
        counts.toArray()[1] = 7;

        assertThat(counts).isEqualTo(DurationCounts.of(1, 2)).hasToString("[1, 2]");
    }

    @Test
    void moreCountsThanBucketsAreRefused() {
        long[] counts = new long[Buckets.COARSE.count() + 1];
        assertThat(DurationCounts.of(counts)).isEqualTo(DurationCounts.NONE);
        counts[counts.length - 1] = 1;

        assertThatThrownBy(() -> DurationCounts.of(counts))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
