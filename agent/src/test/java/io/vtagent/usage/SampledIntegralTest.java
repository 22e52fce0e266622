package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SampledIntegralTest {
    private final SampledIntegral integral = new SampledIntegral();

    @Test
    void whatStaysCountsFromTheFirstSampleToTheLastAndHalfAnIntervalOnEitherSide() {
        add(0, 10);
        add(2, 10);
        add(2, 10);
        add(2, 10);
        add(0, 10);

        assertThat(integral.sum()).isEqualTo(2 * (5 + 10 + 10 + 5));
    }

    @Test
    void whatOneSampleAloneFindsCountsForTheIntervalBefore() {
        add(0, 10);
        add(3, 8);
        add(0, 20);

        assertThat(integral.sum()).isEqualTo(3 * 8);
    }

    @Test
    void aLongIntervalBeforeTheFirstSampleIsDeductedWithoutEverDecreasing() {
        add(0, 100);
        add(1, 100);
        long before = integral.sum();
        for (int i = 0; i < 4; i++) {
            add(1, 10);
            assertThat(integral.sum()).isGreaterThanOrEqualTo(before);
            before = integral.sum();
        }
        add(1, 10);
        add(1, 10);

        assertThat(integral.sum()).isEqualTo(50 + 60);
    }

    @Test
    void afterALateSampleWhatIsNewCountsForThePartThatItMayStandFor() {
        integral.add(0, 10, 10);
        integral.add(1, 1_000, 200);
        integral.add(0, 10, 10);

        assertThat(integral.sum()).isEqualTo(200);
    }

    /** It was found by chance, in place of others. */
    @Test
    void whatHasEndedAtTheNextSampleIsNotDeductedFromWhatStays() {
        add(0, 100);
        add(2, 100);
        for (int i = 0; i < 10; i++) {
            add(1, 10);
        }

        assertThat(integral.sum()).isEqualTo(100 + 50 + 100);
    }

    @Test
    void eachSampleReturnsByHowMuchItGrows() {
        assertThat(integral.add(1, 100, 100)).isEqualTo(100);
        assertThat(integral.add(1, 10, 10)).as("all of it is deducted").isZero();
        assertThat(integral.add(1, 60, 60)).as("the rest is deducted").isEqualTo(20);
        assertThat(integral.sum()).isEqualTo(120);
    }

    @Test
    void itNeverExceedsTheLargestValueOverTheTime() {
        Random random = new Random(1);
        long nanos = 0;
        for (int i = 0; i < 10_000; i++) {
            long elapsed = random.nextLong(1, 100);
            nanos += elapsed;
            add(random.nextInt(4), elapsed);
            assertThat(integral.sum()).isLessThanOrEqualTo(3 * nanos);
        }
    }

    /** Samples are more frequent while something is found, as the sampler's are. */
    @Test
    void itIsRightOnAverageForShortAndLongStatesWhateverTheIntervalsAre() {
        for (int stateNanos : new int[] {10, 40, 400}) {
            Random random = new Random(stateNanos);
            SampledIntegral measured = new SampledIntegral();
            double reference = 0;
            long changeAt = 0;
            boolean on = false;
            long sampledAt = 0;
            boolean found = false;
            long end = 20_000_000;
            while (sampledAt < end) {
                long pause = found ? random.nextLong(5, 15) : random.nextLong(50, 150);
                long next = sampledAt + pause;
                while (changeAt < next) {
                    on = !on;
                    long lasts = on ? stateNanos : random.nextLong(200, 600);
                    reference += on ? lasts : 0;
                    changeAt += lasts;
                }
                measured.add(on ? 1 : 0, pause, pause);
                found = on;
                sampledAt = next;
            }
            assertThat(measured.sum() / reference).isCloseTo(1, within(0.05));
        }
    }

    private void add(double value, long elapsedNanos) {
        integral.add(value, elapsedNanos, elapsedNanos);
    }
}
