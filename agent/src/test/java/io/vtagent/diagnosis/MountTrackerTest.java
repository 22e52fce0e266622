package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.sampler.HeldCarriers;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountTrackerTest {
    private static final long NOW = 1_000_000_000_000L;

    @Test
    void aCarrierThatCarriesTheSameThreadAsBeforeHasNotChanged() {
        try (HeldCarriers all = new HeldCarriers()) {
            MountTracker mounts = new MountTracker(all.pool());
            mounts.begin(NOW);
            mounts.sample(NOW + 1, all.carriers());
            mounts.sample(NOW + 2, all.carriers());

            assertThat(mounts.changes()).as("what is new has not changed").isZero();
            assertThat(mounts.newestNanos()).isEqualTo(NOW);
            assertThat(mounts.changedAfter(NOW)).isZero();
        }
    }

    @Test
    void aCarrierThatHasTakenUpAnotherThreadHasChangedAtTheSampleThatFindsIt() {
        HeldCarriers all = new HeldCarriers();
        MountTracker mounts = new MountTracker(all.pool());
        mounts.begin(NOW);
        mounts.sample(NOW + 1, all.carriers());
        List<Thread> before = all.carriers();
        all.release();
        mounts.sample(NOW + 2, before);
        try (HeldCarriers others = new HeldCarriers()) {
            mounts.sample(NOW + 3, others.carriers());
            long changed =
                    before.stream().filter(carrier -> others.carriers().contains(carrier)).count();

            assertThat(changed).isPositive();
            assertThat(mounts.changes()).isEqualTo(changed);
            assertThat(mounts.newestNanos()).isEqualTo(NOW + 3);
            assertThat(mounts.changedAfter(NOW + 2)).isEqualTo((int) changed);
            assertThat(mounts.changedAfter(NOW + 3)).isZero();

            mounts.begin(NOW + 9);
            mounts.sample(NOW + 10, others.carriers());
            assertThat(mounts.changedAfter(NOW)).as("of a period that is over").isZero();
            assertThat(mounts.newestNanos()).isEqualTo(NOW + 9);
            assertThat(mounts.changes()).isEqualTo(changed);
        }
    }

    @Test
    void whatWasCarriedBeforeThePeriodBeganIsForgotten() {
        HeldCarriers all = new HeldCarriers();
        MountTracker mounts = new MountTracker(all.pool());
        mounts.sample(NOW, all.carriers());
        all.release();
        mounts.begin(NOW + 1);
        try (HeldCarriers others = new HeldCarriers()) {
            mounts.sample(NOW + 2, others.carriers());
            assertThat(mounts.changes()).isZero();
        }
    }
}
