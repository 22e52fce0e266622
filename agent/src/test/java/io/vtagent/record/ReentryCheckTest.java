package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReentryCheckTest {
    private final ReentryCheck check = new ReentryCheck();
    private final CarrierSlot slot = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE, true);

    private static final class Entered {}

    private static final class EnteredAgain {}

    private int reentries(Object monitor, int entries) {
        int found = 0;
        for (int i = 0; i < entries; i++) {
            found += check.isReentry(slot, monitor) ? 1 : 0;
        }
        return found;
    }

    private int ownReentries(Object monitor, int entries) {
        synchronized (monitor) {
            return reentries(monitor, entries);
        }
    }

    @Test
    void aMonitorThatIsNotOwnedIsNotEnteredAgain() {
        assertThat(reentries(new Entered(), 1_000)).isZero();
    }

    @Test
    void theFirstReentriesOfAClassAreNoticed() {
        assertThat(ownReentries(new EnteredAgain(), 1_000)).isEqualTo(1_000);
    }

    @Test
    void whereNoneWasSeenSomeAreOverlookedUntilOneIsSeen() {
        reentries(new Entered(), 1_000);
        int overlooked = ReentryCheck.SELDOM - ownReentries(new Entered(), ReentryCheck.SELDOM);

        assertThat(overlooked).isBetween(1, ReentryCheck.SELDOM - 1);
        assertThat(reentries(new Entered(), 1_000)).isZero();
        assertThat(ownReentries(new Entered(), 1_000)).isEqualTo(1_000);
    }
}
