package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CarrierWatchTest {
    @Test
    void looksComeAsWantedUnlessTheyTakeMoreThanTheirShareOrSomebodyActsOnThem() {
        assertThat(CarrierWatch.meanNanos(10_000, 100, Long.MAX_VALUE)).isEqualTo(10_000);
        assertThat(CarrierWatch.meanNanos(10_000, 1_000, Long.MAX_VALUE)).isEqualTo(20_000);
        assertThat(CarrierWatch.meanNanos(10_000, 1_000, 3_000)).isEqualTo(3_000);
    }
}
