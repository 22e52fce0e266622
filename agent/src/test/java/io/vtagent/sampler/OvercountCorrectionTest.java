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
     * The time between two looks: at rest, while nothing is seen otherwise, and while something is.
     */
    private static final int REST = 100_000;

    private static final int PERIOD = 10_000;
    private static final int NEXT = 2_500;

    private final OvercountCorrection ahead = new OvercountCorrection();
    private final Random random = new Random(7);
    private long nowNanos;
    private long countedNanos;

    /**
     * Simulated: a carrier that is held by one pin after the other, after a rest. Holds of 5 ms
     * that alternate with pauses count for less anyhow.
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
        double truth = 0;
        for (int i = 0; i < BURSTS; i++) {
            truth += count(each, pause, burst, REST);
        }
        assertThat(countedNanos / truth).isBetween(0.96, 1.04);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "1000, 300", "200, 200"})
    void whereLooksDoNotRestPinsThatComeAgainAndAgainCountForAsMuch(int each, int pause) {
        double truth = 0;
        for (int i = 0; i < 20; i++) {
            truth += count(each, pause, 10_000_000, PERIOD);
        }
        assertThat(countedNanos / truth).isBetween(0.96, 1.04);
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
        @Nullable DurationEstimate seen = null;
        int pin = 0;
        nowNanos += distance;
        while (at < burst || seen != null) {
            boolean held = at < burst && (at + begun) % (each + pause) < each;
            int pinNow = (at + begun) / (each + pause);
            if (seen != null && (!held || pinNow != pin)) {
                countedNanos += seen.nanos();
                ahead.counted(CARRIER, seen, nowNanos - distance);
                seen = null;
            }
            ahead.passed(nowNanos);
            if (held && seen == null) {
                pin = pinNow;
                seen =
                        DurationEstimate.once(distance, mean, NEXT)
                                .afterRest(mean > PERIOD)
                                .after(ahead.of(CARRIER));
                ahead.taken(CARRIER);
            } else if (held && seen != null) {
                seen = seen.again(distance);
            }
            mean = held ? NEXT : mean == REST ? REST : PERIOD;
            distance = mean / 2 + random.nextInt(mean);
            at += distance;
            nowNanos += distance;
        }
        nowNanos += 10 * REST;
        long truth = 0;
        for (int from = -begun; from < burst; from += each + pause) {
            truth +=
                    Math.min(from + each, burst) - Math.min(Math.max(from, 0), burst) > 0
                            ? Math.min(from + each, burst) - Math.max(from, 0)
                            : 0;
        }
        return truth;
    }

    @Test
    void nothingIsLeftOnceTheTimeHasPassedThatItWasCountedFor() {
        ahead.counted(CARRIER, first().again(10), 110);
        ahead.passed(199);
        assertThat(ahead.of(CARRIER)).isEqualTo(100 - (50 + 5 + 10));
        ahead.passed(200);

        assertThat(ahead.of(CARRIER)).isZero();
    }

    @Test
    void whatOnePinDoesNotMakeUpForTheNextOneDoes() {
        ahead.counted(CARRIER, first(), 100);
        DurationEstimate second = DurationEstimate.once(10).after(ahead.of(CARRIER));
        assertThat(second.nanos()).isEqualTo(5);
        ahead.taken(CARRIER);
        assertThat(ahead.of(CARRIER)).isZero();
        ahead.counted(CARRIER, second, 110);

        assertThat(ahead.of(CARRIER)).isEqualTo(100 - (50 + 5) - 5);
    }

    @Test
    void whatIsOfAnotherCarrierIsNot() {
        ahead.counted(CARRIER, first(), 100);

        assertThat(ahead.of(new Thread(() -> {}))).isZero();
    }

    @Test
    void withoutARestNothingIsAhead() {
        ahead.counted(CARRIER, first().afterRest(false), 100);

        assertThat(ahead.of(CARRIER)).isZero();
    }

    private static DurationEstimate first() {
        return DurationEstimate.once(100, 100, 10).afterRest(true);
    }
}
