package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OvercountCorrectionTest {
    private static final int BURSTS = 20_000;
    private static final Thread CARRIER = new Thread(() -> {});

    /**
     * The sampling interval: when idle, when nothing is sampled otherwise, and while there is a
     * sampled pin.
     */
    private static final int IDLE = 100_000;

    private static final int PERIOD = 10_000;
    private static final int NEXT = 2_500;

    private final OvercountCorrection correction = new OvercountCorrection();
    private final Random random = new Random(7);
    private long nowNanos;
    private long countedNanos;

    /**
     * Simulates a carrier that is held by one pin after the other, after an idle period. Holds of 5
     * ms that alternate with pauses count for less anyhow.
     */
    @ParameterizedTest
    @CsvSource({
        "20000, 0, 200000",
        "20000, 0, 2000000",
        "5000, 0, 200000",
        "50000, 0, 400000",
        "200000, 0, 2000000",
        "1000, 0, 200000",
        "1000, 1000, 200000",
        "1000, 1000, 1000000",
        "20000, 20000, 2000000",
    })
    void pinsThatFollowEachOtherAfterARestCountForAsLongAsTheyLasted(
            int each, int pause, int burst) {
        double reference = 0;
        for (int i = 0; i < BURSTS; i++) {
            reference += count(each, pause, burst, IDLE);
        }
        assertThat(countedNanos / reference).isBetween(0.96, 1.04);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "1000, 300", "200, 200"})
    void repeatedPinsCountForAsMuchIfTheSamplerIsNeverIdle(int each, int pause) {
        double reference = 0;
        for (int i = 0; i < 20; i++) {
            reference += count(each, pause, 10_000_000, PERIOD);
        }
        assertThat(countedNanos / reference).isBetween(0.96, 1.04);
    }

    /**
     * @return how long pins lasted in all
     */
    private long count(int each, int pause, int burst, int rest) {
        int begun = random.nextInt(each + pause);
        int distance;
        do {
            distance = rest / 2 + random.nextInt(rest);
        } while (random.nextInt(3 * rest / 2) > distance);
        int at = random.nextInt(distance);
        int mean = rest;
        @Nullable DurationEstimate estimate = null;
        int pin = 0;
        nowNanos += distance;
        while (at < burst || estimate != null) {
            boolean held = at < burst && (at + begun) % (each + pause) < each;
            int pinNow = (at + begun) / (each + pause);
            if (estimate != null && (!held || pinNow != pin)) {
                countedNanos += estimate.nanos();
                correction.add(CARRIER, estimate, nowNanos - distance);
                estimate = null;
            }
            correction.expire(nowNanos);
            if (held && estimate == null) {
                pin = pinNow;
                estimate =
                        DurationEstimate.firstSample(distance, mean, NEXT)
                                .afterIdle(mean > PERIOD)
                                .withOvercount(correction.nanosOf(CARRIER));
                correction.clear(CARRIER);
            } else if (held && estimate != null) {
                estimate = estimate.sampledAgain(distance);
            }
            mean = held ? NEXT : mean == IDLE ? IDLE : PERIOD;
            distance = mean / 2 + random.nextInt(mean);
            at += distance;
            nowNanos += distance;
        }
        nowNanos += 10 * IDLE;
        long reference = 0;
        for (int from = -begun; from < burst; from += each + pause) {
            reference +=
                    Math.min(from + each, burst) - Math.min(Math.max(from, 0), burst) > 0
                            ? Math.min(from + each, burst) - Math.max(from, 0)
                            : 0;
        }
        return reference;
    }

    @Test
    void nothingIsLeftOnceTheTimeHasPassedThatItWasCountedFor() {
        correction.add(CARRIER, first().sampledAgain(10), 110);
        correction.expire(199);
        assertThat(correction.nanosOf(CARRIER)).isEqualTo(100 - (50 + 5 + 10));
        correction.expire(200);

        assertThat(correction.nanosOf(CARRIER)).isZero();
    }

    @Test
    void whatOnePinDoesNotMakeUpForTheNextOneDoes() {
        correction.add(CARRIER, first(), 100);
        DurationEstimate second =
                DurationEstimate.firstSample(10).withOvercount(correction.nanosOf(CARRIER));
        assertThat(second.nanos()).isEqualTo(5);
        correction.clear(CARRIER);
        assertThat(correction.nanosOf(CARRIER)).isZero();
        correction.add(CARRIER, second, 110);

        assertThat(correction.nanosOf(CARRIER)).isEqualTo(100 - (50 + 5) - 5);
    }

    @Test
    void whatIsOfAnotherCarrierIsNot() {
        correction.add(CARRIER, first(), 100);

        assertThat(correction.nanosOf(new Thread(() -> {}))).isZero();
    }

    @Test
    void withoutAnIdlePeriodThereIsNoOvercount() {
        correction.add(CARRIER, first().afterIdle(false), 100);

        assertThat(correction.nanosOf(CARRIER)).isZero();
    }

    private static DurationEstimate first() {
        return DurationEstimate.firstSample(100, 100, 10).afterIdle(true);
    }
}
