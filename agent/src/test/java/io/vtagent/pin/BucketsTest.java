package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BucketsTest {

    @Test
    void aBucketHoldsDurationsThatDifferByAQuarterAtMost() {
        for (long nanos = 1 << 10; nanos < 1L << 40; nanos += nanos / 50) {
            long most = nanos;
            while (Buckets.FINE.of(most + most / 1000) == Buckets.FINE.of(nanos)) {
                most += most / 1000;
            }
            assertThat((double) most / nanos).isLessThanOrEqualTo(1.25);
        }
    }

    @Test
    void bucketsAscendWithTheirDurations() {
        int previous = 0;
        for (long nanos = 1; nanos < Long.MAX_VALUE / 2; nanos += nanos / 3 + 1) {
            int bucket = Buckets.FINE.of(nanos);
            assertThat(bucket).isGreaterThanOrEqualTo(previous).isLessThan(Buckets.FINE.count());
            previous = bucket;
        }
        assertThat(Buckets.FINE.of(Long.MAX_VALUE)).isEqualTo(Buckets.FINE.count() - 1);
    }

    @Test
    void fourBucketsShareAPowerOfTwo() {
        assertThat(Buckets.FINE.of(1_023)).isZero();
        assertThat(Buckets.FINE.of(1_024)).isZero();
        assertThat(Buckets.FINE.of(1_279)).isZero();
        assertThat(Buckets.FINE.of(1_280)).isEqualTo(1);
        assertThat(Buckets.FINE.of(2_047)).isEqualTo(3);
        assertThat(Buckets.FINE.of(2_048)).isEqualTo(4);
    }

    @Test
    void theBoundsOfCoarseBucketsAreStepsOf1And2And5AndBelongToTheUpperBucket() {
        long[] bounds = Buckets.coarseBoundsNanos();

        assertThat(bounds)
                .hasSize(Buckets.COARSE.count() - 1)
                .startsWith(100_000, 200_000, 500_000, 1_000_000);
        for (int i = 3; i < bounds.length; i++) {
            assertThat(bounds[i]).isEqualTo(10 * bounds[i - 3]);
        }
        assertThat(bounds).endsWith(10_000_000_000L);
        for (int i = 0; i < bounds.length; i++) {
            assertThat(Buckets.COARSE.of(bounds[i] - 1)).isEqualTo(i);
            assertThat(Buckets.COARSE.of(bounds[i])).isEqualTo(i + 1);
        }
        assertThat(Buckets.COARSE.of(0)).isZero();
        assertThat(Buckets.COARSE.of(-1)).isZero();
        assertThat(Buckets.COARSE.of(Long.MAX_VALUE)).isEqualTo(Buckets.COARSE.count() - 1);
    }

    @Test
    void nobodyCanChangeTheBounds() {
        Buckets.coarseBoundsNanos()[0] = 7;

        assertThat(Buckets.coarseBoundsNanos()[0]).isEqualTo(100_000);
    }

    @Test
    void aSingleBucketTakesAll() {
        assertThat(Buckets.SINGLE.of(0)).isZero();
        assertThat(Buckets.SINGLE.of(Long.MAX_VALUE)).isZero();
    }
}
