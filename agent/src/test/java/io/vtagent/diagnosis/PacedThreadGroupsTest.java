package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PacedThreadGroupsTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void aSecondRequestGetsTheSameReading() throws ReflectiveOperationException {
        PacedThreadGroups paced =
                new PacedThreadGroups(
                        new ThreadGroupReader(CarrierPool.ofThisJvm(), new FramesOfInterest(64)));
        PacedThreadGroups.Reading first = Objects.requireNonNull(paced.newest());

        PacedThreadGroups.Reading second = Objects.requireNonNull(paced.newest());

        assertThat(second.groups()).isSameAs(first.groups());
        assertThat(second.ageNanos()).isGreaterThan(first.ageNanos());
        assertThat(first.nextNanos()).isBetween(SECOND / 2, 30 * SECOND);
        assertThat(paced.failure()).isNull();
    }

    @Test
    void aReadingIsKeptForFiftyTimesItsCpuTime() {
        assertThat(PacedThreadGroups.keptNanos(SECOND / 10)).isEqualTo(5 * SECOND);
        assertThat(PacedThreadGroups.keptNanos(0)).isEqualTo(SECOND);
        assertThat(PacedThreadGroups.keptNanos(SECOND)).isEqualTo(30 * SECOND);
    }
}
