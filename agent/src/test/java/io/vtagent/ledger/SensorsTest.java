package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SensorsTest {
    private final Sensors sensors = new Sensors();

    @ParameterizedTest
    @CsvSource({
        "'', true, false, false, io",
        "no probe, false, false, false, io is down (no probe)",
        Sensors.NOT_PROVED_YET + ", false, true, true, io is not proved yet",
        Sensors.NOT_BEGUN_YET + ", false, false, true, io is down (has not begun)",
    })
    void theStateOfASensorIsReportedUnlessItWorks(
            String failure, boolean up, boolean toBeProved, boolean starting, String words) {
        sensors.put("io", failure);
        assertThat(sensors.isUp("io")).isEqualTo(up);
        assertThat(sensors.isToBeProved("io")).isEqualTo(toBeProved);
        assertThat(Sensors.isStarting(failure)).isEqualTo(starting);
        assertThat(sensors.inWords("io")).isEqualTo(words);
    }
}
