package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        int missed =
                10 * ReentryCheck.SELDOM - ownReentries(new Entered(), 10 * ReentryCheck.SELDOM);

        assertThat(missed).isBetween(1, 4 * ReentryCheck.SELDOM);
        assertThat(reentries(new Entered(), 1_000)).isZero();
        assertThat(ownReentries(new Entered(), 1_000)).isEqualTo(1_000);
    }

    /** As where each request enters some monitors and enters one of them again. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 32, 64, 128})
    void noRhythmOfReentriesIsMissed(int period) {
        for (int phase = 0; phase < period; phase += Math.max(1, period / 8)) {
            ReentryCheck each = new ReentryCheck();
            CarrierSlot carrier = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE, true);
            Object monitor = new Entered();
            int missed = 0;
            boolean noticed = false;
            for (int i = 0; !noticed && i < 100_000; i++) {
                if (i >= 1_000 && i % period == phase) {
                    synchronized (monitor) {
                        noticed = each.isReentry(carrier, monitor);
                    }
                    missed++;
                } else {
                    assertThat(each.isReentry(carrier, monitor)).isFalse();
                }
            }
            assertThat(noticed).isTrue();
            assertThat(missed).isLessThan(10 * ReentryCheck.SELDOM);
        }
    }
}
