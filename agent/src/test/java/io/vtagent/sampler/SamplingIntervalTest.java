package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplingIntervalTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long PERIOD = 5_000_000;
    private static final long SECOND = 1_000_000_000;

    private boolean eventsRun;
    private boolean eachIsWanted;
    private final SamplingInterval interval =
            new SamplingInterval(PERIOD, () -> eventsRun, () -> eachIsWanted, 0);

    @Test
    void theIntervalIsAsConfiguredUnlessSamplesCostTooMuchOrAListenerLimitsIt() {
        assertThat(next(0, false, NEVER)).isEqualTo(PERIOD);
        interval.addCpuNanos(100 * PERIOD); // a twentieth of it counts
        assertThat(next(0, false, NEVER)).isEqualTo(100 * PERIOD);
        assertThat(next(0, false, 3_000)).isEqualTo(3_000);
    }

    @Test
    void whileACarrierIsBusyTheyComeAsConfiguredUnlessTheyCostTooMuch() {
        assertThat(interval.intervalNanos()).isEqualTo(PERIOD);
        assertThat(interval.busyNanos()).isEqualTo(PERIOD);
        interval.addCpuNanos(100 * PERIOD);
        long once = interval.busyNanos();
        assertThat(once).isGreaterThan(next(0, false, NEVER));
        interval.addCpuNanos(100 * PERIOD); // an average, which approaches it
        assertThat(interval.busyNanos()).isBetween(once, 2 * once);
    }

    @Test
    void samplesAreMoreFrequentWhileThereIsASampledPin() {
        assertThat(next(SECOND, true, NEVER)).isEqualTo(PERIOD / 4);
        assertThat(interval.pinnedIntervalNanos()).isEqualTo(PERIOD / 4);
        interval.addCpuNanos(PERIOD);
        assertThat(interval.pinnedIntervalNanos()).isEqualTo(PERIOD);
        assertThat(next(SECOND, true, NEVER)).isEqualTo(PERIOD);
    }

    @Test
    void theyComeSeldomerWhereNothingIsHeldAndMoreSoWhereNothingRuns() {
        interval.onSampled(0, 1, 10);
        assertThat(next(SECOND - 1, false, NEVER)).isEqualTo(PERIOD);
        assertThat(interval.wasIdle()).isFalse();
        interval.onSampled(SECOND / 2, 0, 11);
        assertThat(next(SECOND, false, NEVER)).isEqualTo(4 * PERIOD);
        assertThat(interval.wasIdle()).isTrue();
        interval.onSampled(SECOND, 0, 11);
        assertThat(next(3 * SECOND / 2, false, NEVER)).isEqualTo(20 * PERIOD);
        eventsRun = true;
        assertThat(next(3 * SECOND / 2, false, NEVER)).isEqualTo(2 * PERIOD);
        interval.onSampled(3 * SECOND / 2, 1, 11);
        assertThat(next(2 * SECOND, false, NEVER)).isEqualTo(PERIOD);
    }

    @Test
    void theyComeAsSeldomWhereThreadsRunAndNothingHasBeenHeldForLong() {
        interval.onSampled(0, 1, 1);
        interval.onSampled(10 * SECOND - 1, 0, 2);
        assertThat(next(10 * SECOND - 1, false, NEVER)).isEqualTo(4 * PERIOD);
        assertThat(next(10 * SECOND, false, NEVER)).isEqualTo(20 * PERIOD);
        interval.onSampled(10 * SECOND, 1, 3);
        assertThat(next(10 * SECOND, false, NEVER)).isEqualTo(PERIOD);
    }

    @Test
    void theyComeAsOftenAsAtTheBeginningWhenThereAreCarriersAgain() {
        assertThat(next(3 * SECOND, false, NEVER)).isEqualTo(20 * PERIOD);
        interval.endIdle(3 * SECOND);
        assertThat(interval.meanNanos()).isEqualTo(PERIOD);
        assertThat(next(4 * SECOND - 1, false, NEVER)).isEqualTo(PERIOD);
        assertThat(next(4 * SECOND, false, NEVER)).isEqualTo(20 * PERIOD);
    }

    @Test
    void theyDoNotRestWhereEachPinIsWanted() {
        eachIsWanted = true;
        assertThat(next(3 * SECOND, false, NEVER)).isEqualTo(PERIOD);
    }

    @Test
    void aLongConfiguredIntervalDoesNotGrow() {
        SamplingInterval slow = new SamplingInterval(SECOND / 2, () -> false, () -> false, 0);
        slow.nextNanos(2 * SECOND, false, NEVER);
        assertThat(slow.meanNanos()).isEqualTo(SECOND / 2);
        SamplingInterval middle = new SamplingInterval(SECOND / 20, () -> false, () -> false, 0);
        middle.nextNanos(2 * SECOND, false, NEVER);
        assertThat(middle.meanNanos()).isEqualTo(SECOND / 10);
    }

    @Test
    void aLateSampleStandsForAllOfTheTimeUnlessTheProcessWasStopped() {
        next(0, false, NEVER);
        assertThat(interval.cappedNanos(PERIOD / 2)).isEqualTo(PERIOD / 2);
        assertThat(interval.cappedNanos(SECOND / 5)).isEqualTo(SECOND / 5);
        assertThat(interval.cappedNanos(SECOND)).isEqualTo(SECOND / 5);
        next(3 * SECOND, false, NEVER);
        assertThat(interval.cappedNanos(SECOND)).isEqualTo(4 * 20 * PERIOD);
    }

    @Test
    void theTimeIsRandomAroundTheMean() {
        long sum = 0;
        for (int i = 0; i < 10_000; i++) {
            long next = interval.nextNanos(0, false, NEVER);
            assertThat(next).isBetween(PERIOD / 2, 3 * PERIOD / 2);
            sum += next;
        }
        assertThat(sum / 10_000.0 / PERIOD).isBetween(0.95, 1.05);
    }

    private long next(long nowNanos, boolean anySeen, long longestNanos) {
        interval.nextNanos(nowNanos, anySeen, longestNanos);
        return interval.meanNanos();
    }
}
