package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationEstimateTest {
    private static final int PINS = 50_000;

    /**
     * Simulates samples with the mean interval {@code rest}, and {@code next} while the pin is
     * sampled.
     */
    @ParameterizedTest
    @CsvSource({
        "1250, 1250, 1000",
        "1250, 1250, 10000",
        "5000, 1250, 1000",
        "5000, 1250, 3000",
        "5000, 1250, 5000",
        "5000, 1250, 10000",
        "5000, 1250, 20000",
        "20000, 1250, 2000",
        "20000, 1250, 10000",
        "100000, 1250, 3000",
        "100000, 1250, 30000",
        "100000, 1250, 80000",
        "25000, 25000, 10000",
        "25000, 25000, 100000",
    })
    void aPinCountsForAsLongAsItLastedOnAverage(int rest, int next, int lasted) {
        assertThat(counted(rest, next, lasted) / lasted).isBetween(0.95, 1.05);
    }

    @ParameterizedTest
    @CsvSource({"1250, 1250", "5000, 1250", "20000, 1250", "100000, 1250", "25000, 25000"})
    void aLongPinDoesNotCountForMuchMoreAfterALongInterval(int rest, int next) {
        double lasted = 1_000_000;
        assertThat(counted(rest, next, (int) lasted) / lasted).isBetween(0.99, 1.01);
    }

    /** The same where the kernel reports when a pin has begun. */
    @ParameterizedTest
    @CsvSource({
        "5000, 1250, 1000",
        "5000, 1250, 10000",
        "20000, 1250, 2000",
        "20000, 1250, 20000",
        "100000, 1250, 30000",
        "100000, 1250, 80000",
        "25000, 25000, 10000",
        "25000, 25000, 100000",
    })
    void aPinWhoseStartIsKnownCountsForAsLongAsItLastedOnAverage(int rest, int next, int lasted) {
        assertThat(counted(rest, next, lasted, true) / lasted).isBetween(0.95, 1.05);
    }

    @Test
    void aPinWhoseStartIsKnownIsAccurateToHalfOfTheNextInterval() {
        DurationEstimate estimate = DurationEstimate.firstSample(20_000, 20_000, 1_250);
        for (int before : new int[] {0, 1_000, 20_000}) {
            assertThat(estimate.begunBefore(before).sampledAgain(30_000).nanos())
                    .isEqualTo(before + 30_000 + 1_250 / 2);
        }
    }

    @Test
    void aPinCannotHaveBegunBeforeThePreviousSample() {
        DurationEstimate estimate = DurationEstimate.firstSample(100, 100, 10).sampledAgain(1_000);
        DurationEstimate first = DurationEstimate.firstSample(100, 100, 10);
        assertThat(first.begunBefore(5_000).sampledAgain(1_000).nanos()).isEqualTo(1_105);
        assertThat(first.begunBefore(-7).sampledAgain(1_000).nanos()).isEqualTo(1_005);
        assertThat(estimate.nanos()).isEqualTo(1_055);
    }

    private static double counted(int rest, int mean, int lasted) {
        return counted(rest, mean, lasted, false);
    }

    private static double counted(int rest, int mean, int lasted, boolean startKnown) {
        Random random = new Random(7);
        double sum = 0;
        for (int pin = 0; pin < PINS; pin++) {
            // the longer an interval, the likelier the pin begins in it
            int distance;
            do {
                distance = rest / 2 + random.nextInt(rest);
            } while (random.nextInt(3 * rest / 2) > distance);
            int until = random.nextInt(distance);
            if (until >= lasted) {
                continue;
            }
            DurationEstimate estimate = DurationEstimate.firstSample(distance, rest, mean);
            if (startKnown) {
                estimate = estimate.begunBefore(until);
            }
            for (int at = until; ; ) {
                int next = mean / 2 + random.nextInt(mean);
                at += next;
                if (at >= lasted) {
                    break;
                }
                estimate = estimate.sampledAgain(next);
            }
            sum += estimate.nanos();
        }
        return sum / PINS;
    }

    @Test
    void itNeverGetsShorter() {
        DurationEstimate estimate = DurationEstimate.firstSample(100, 100, 10);
        assertThat(estimate.isSingleSample()).isTrue();
        assertThat(estimate.nanos()).isEqualTo(100);
        long before = 0;
        for (int sample = 0; sample < 100; sample++) {
            assertThat(estimate.nanos()).isGreaterThanOrEqualTo(before);
            before = estimate.nanos();
            estimate = estimate.sampledAgain(1);
        }
        assertThat(estimate.isSingleSample()).isFalse();
        assertThat(estimate.nanos()).isEqualTo(50 + 5 + 100);
        assertThat(estimate.maxNanos()).isEqualTo(200);
    }

    /** It is never less than half of that either. */
    @Test
    void anOvercountMakesTheNextEstimateSmaller() {
        DurationEstimate estimate = DurationEstimate.firstSample(10).withOvercount(30);
        assertThat(estimate.nanos()).isEqualTo(5);
        assertThat(estimate.remainingOvercountNanos()).isEqualTo(25);
        DurationEstimate longer = estimate.sampledAgain(60);
        assertThat(longer.nanos()).isEqualTo(40);
        assertThat(longer.remainingOvercountNanos()).isZero();
        assertThat(longer.maxNanos()).isEqualTo(70);
    }

    /** The time before its start stands for earlier pins, which no sample has hit. */
    @Test
    void theFirstPinAfterARestHasNotCountedTooMuchForTheTimeBeforeItsKnownStart() {
        DurationEstimate estimate =
                DurationEstimate.firstSample(100, 100, 10)
                        .afterIdle(true)
                        .begunBefore(20)
                        .sampledAgain(10)
                        .endedAfter(10);
        assertThat(estimate.nanos()).isEqualTo(100);
        assertThat(estimate.remainingOvercountNanos()).isEqualTo(100 - (50 + 10 + 10));
        assertThat(estimate.sampledAgain(50).remainingOvercountNanos()).isZero();
    }

    @Test
    void whatTheJvmHadStoppedAllThreadsForCanBeLeftOut() {
        DurationEstimate estimate =
                DurationEstimate.firstSample(100).plusPaused(60).sampledAgain(10).plusPaused(4);
        assertThat(estimate.nanos()).isEqualTo(110);
        assertThat(estimate.nanosOutsidePauses()).isEqualTo(46);
        assertThat(estimate.plusPaused(47).nanosOutsidePauses()).isZero();
        assertThat(estimate.withOvercount(200).nanosOutsidePauses()).isEqualTo(23);
    }
}
