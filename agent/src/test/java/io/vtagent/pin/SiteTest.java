package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Sensors;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class SiteTest {
    private final Site site = new Site(PinSite.unattributed(PinKind.PARK), PinReason.MONITOR, null);

    @Test
    void theUsualDurationFollowsThePinsSlowly() {
        assertThat(site.usualNanos()).isEqualTo(Site.UNKNOWN);
        site.ended(800);
        assertThat(site.usualNanos()).isEqualTo(800);
        site.ended(1_600);
        assertThat(site.usualNanos()).isEqualTo(900);
        site.ended(100);
        assertThat(site.usualNanos()).isEqualTo(800);
    }

    @Test
    void pinsAddUpAndTheLongestIsKept() {
        site.add(5);
        site.add(9);
        site.add(7);
        assertThat(site.count()).isEqualTo(3);
        assertThat(site.nanos()).isEqualTo(21);
        assertThat(site.longestNanos()).isEqualTo(9);
        assertThat(site.usualNanos()).isEqualTo(Site.UNKNOWN);
        assertThat(site.key())
                .isEqualTo(
                        new PinSite(
                                "(unattributed)",
                                "(unattributed)",
                                "(unattributed)",
                                PinKind.PARK));
    }

    @Test
    void theTimeForWhichThreadsWereQueuedAddsUpBesideThePins() {
        site.addWaited(4);
        site.addWaited(6);
        assertThat(site.waitedNanos()).isEqualTo(10);
        assertThat(site.nanos()).isZero();
    }

    @Test
    void eachPinCountsInTheBucketOfItsDuration() {
        for (long nanos : new long[] {0, 99_999, 100_000, 1_000_000, 1_999_999, Long.MAX_VALUE}) {
            site.add(nanos);
        }

        assertThat(site.durations())
                .isEqualTo(DurationCounts.of(2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
        assertThat(site.count()).isEqualTo(6);
    }

    @Test
    void aSampledPinCountsInTheBucketOfItsEstimatedDuration() {
        site.addSampled(3_000_000, new Samples(1, 1, 0));

        assertThat(site.durations()).isEqualTo(DurationCounts.of(0, 0, 0, 0, 0, 1));
        assertThat(site.longestNanos()).isZero();
        assertThat(site.isRare()).isTrue();
    }

    @Test
    void pinsThatEndAtTheSameTimeAllCount() {
        int pins = 200_000;
        try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                executor.execute(
                        () -> {
                            for (int i = 0; i < pins; i++) {
                                site.add(i % 2 == 0 ? 1 : 1_000_000);
                            }
                        });
            }
        }

        assertThat(site.durations()).isEqualTo(DurationCounts.of(2L * pins, 0, 0, 0, 2L * pins));
        assertThat(site.count()).isEqualTo(4L * pins);
    }

    @Test
    void aReaderNeverSeesAPinWithoutItsTime() throws InterruptedException {
        long pins = 2_000_000;
        Thread writer =
                new Thread(
                        () -> {
                            for (int i = 0; i < pins; i++) {
                                site.add(3);
                            }
                        });
        writer.start();
        long counted = 0;
        while (counted < pins) {
            counted = site.count();
            assertThat(site.nanos()).isGreaterThanOrEqualTo(3 * counted);
        }
        writer.join();
    }

    @Test
    void aSensorIsUpOnlyWhileNothingWasReportedAgainstIt() {
        Sensors sensors = new Sensors();
        assertThat(sensors.isUp("park")).isFalse();
        sensors.put("park", "");
        sensors.put("io", "was not noticed");
        assertThat(sensors.isUp("park")).isTrue();
        assertThat(sensors.isUp("io")).isFalse();
        assertThat(sensors.failures()).isEqualTo(Map.of("park", "", "io", "was not noticed"));
        sensors.put("park", "gone");
        assertThat(sensors.isUp("park")).isFalse();
        assertThat(sensors.failures().keySet()).containsExactly("park", "io");
    }
}
