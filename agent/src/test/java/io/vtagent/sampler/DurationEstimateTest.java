package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationEstimateTest {
    private static final int PINS = 50_000;

    /**
     * Simulated: looks that are, on average, {@code rest} apart, and while the pin is seen {@code
     * next}.
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
    void aLongPinIsNotCountedForMuchLongerThoughTheLookBeforeItWasLongAgo(int rest, int next) {
        double lasted = 1_000_000;
        assertThat(counted(rest, next, (int) lasted) / lasted).isBetween(0.99, 1.01);
    }

    private static double counted(int rest, int mean, int lasted) {
        Random random = new Random(7);
        double sum = 0;
        for (int pin = 0; pin < PINS; pin++) {
            // where no look is due to the pin it begins in a distance the likelier the longer that
            // is
            int distance;
            do {
                distance = rest / 2 + random.nextInt(rest);
            } while (random.nextInt(3 * rest / 2) > distance);
            int until = random.nextInt(distance);
            if (until >= lasted) {
                continue;
            }
            DurationEstimate seen = DurationEstimate.once(distance, rest, mean);
            for (int at = until; ; ) {
                int next = mean / 2 + random.nextInt(mean);
                at += next;
                if (at >= lasted) {
                    break;
                }
                seen = seen.again(next);
            }
            sum += seen.nanos();
        }
        return sum / PINS;
    }

    @Test
    void itNeverGetsShorter() {
        DurationEstimate seen = DurationEstimate.once(100, 100, 10);
        assertThat(seen.isOnce()).isTrue();
        assertThat(seen.nanos()).isEqualTo(100);
        long before = 0;
        for (int look = 0; look < 100; look++) {
            assertThat(seen.nanos()).isGreaterThanOrEqualTo(before);
            before = seen.nanos();
            seen = seen.again(1);
        }
        assertThat(seen.isOnce()).isFalse();
        assertThat(seen.nanos()).isEqualTo(50 + 5 + 100);
        assertThat(seen.mostNanos()).isEqualTo(200);
    }

    /** Nor is it ever less than half of that. */
    @Test
    void whatHasBeenCountedAheadCountsLess() {
        DurationEstimate seen = DurationEstimate.once(10).after(30);
        assertThat(seen.nanos()).isEqualTo(5);
        assertThat(seen.leftAheadNanos()).isEqualTo(25);
        DurationEstimate longer = seen.again(60);
        assertThat(longer.nanos()).isEqualTo(40);
        assertThat(longer.leftAheadNanos()).isZero();
        assertThat(longer.mostNanos()).isEqualTo(70);
    }

    @Test
    void whatTheJvmHadStoppedAllThreadsForCanBeLeftOut() {
        DurationEstimate seen = DurationEstimate.once(100).stopped(60).again(10).stopped(4);
        assertThat(seen.nanos()).isEqualTo(110);
        assertThat(seen.nanosBetweenStops()).isEqualTo(46);
        assertThat(seen.stopped(47).nanosBetweenStops()).isZero();
        assertThat(seen.after(200).nanosBetweenStops()).isEqualTo(23);
    }
}
