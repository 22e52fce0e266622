package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeenTimeTest {
    private static final int PERIOD = 5_000;
    private static final int PINS = 50_000;

    /** Simulated: looks a rest apart, and while the pin is seen four times as often as the period asks for. */
    @ParameterizedTest
    @CsvSource({"5000, 1000", "20000, 2000", "20000, 10000", "100000, 3000", "100000, 30000", "100000, 80000"})
    void aShortPinCountsForAsLongAsItLastedOnAverage(int rest, int lasted) {
        assertThat(counted(rest, lasted) / lasted).isBetween(0.95, 1.1);
    }

    @ParameterizedTest
    @CsvSource({"5000", "20000", "100000"})
    void aLongPinIsNotCountedForMuchLongerThoughTheLookBeforeItWasLongAgo(int rest) {
        double lasted = 1_000_000;
        assertThat(counted(rest, (int) lasted) / lasted).isBetween(0.99, 1.03);
    }

    private static double counted(int rest, int lasted) {
        Random random = new Random(7);
        double sum = 0;
        for (int pin = 0; pin < PINS; pin++) {
            // where no look is due to the pin it begins in a distance the likelier the longer that is
            int distance;
            do {
                distance = rest / 2 + random.nextInt(rest);
            } while (random.nextInt(3 * rest / 2) > distance);
            int until = random.nextInt(distance);
            if (until >= lasted) {
                continue;
            }
            SeenTime seen = SeenTime.once(distance, PERIOD);
            for (int at = until; ; ) {
                int next = PERIOD / 8 + random.nextInt(PERIOD / 4);
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
        SeenTime seen = SeenTime.once(100, 10);
        assertThat(seen.isOnce()).isTrue();
        assertThat(seen.nanos()).isEqualTo(100);
        long before = 0;
        for (int look = 0; look < 100; look++) {
            assertThat(seen.nanos()).isGreaterThanOrEqualTo(before);
            before = seen.nanos();
            seen = seen.again(1);
        }
        assertThat(seen.isOnce()).isFalse();
        assertThat(seen.nanos()).isEqualTo(10 + 45 + 100);
        assertThat(seen.mostNanos()).isEqualTo(200);
    }

    @Test
    void whatTheJvmHadStoppedAllThreadsForCanBeLeftOut() {
        SeenTime seen = SeenTime.once(100, 100).stopped(60).again(10).stopped(4);
        assertThat(seen.nanos()).isEqualTo(110);
        assertThat(seen.nanosBetweenStops()).isEqualTo(46);
        assertThat(seen.stopped(47).nanosBetweenStops()).isZero();
    }
}
