package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
