package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldShareTest {
    private static final long MOST = 300;
    private static final long BEGAN = 1_000;

    private final HeldShare share = new HeldShare(MOST);

    HeldShareTest() {
        share.begin(BEGAN);
    }

    @Test
    void itCountsFromItsBeginning() {
        assertThat(share.isMostlyHeldFor(50, BEGAN + 49)).isFalse();
        assertThat(share.isMostlyHeldFor(50, BEGAN + 50)).isTrue();
    }

    @Test
    void asMuchFreeTimeAsHeldTimeIsAllowed() {
        share.held(100);
        assertThat(share.free(100, BEGAN + 200)).isFalse();
        assertThat(share.isMostlyHeldFor(200, BEGAN + 200)).isTrue();

        assertThat(share.free(1, BEGAN + 201)).isFalse();
        assertThat(share.isMostlyHeldFor(200, BEGAN + 201)).isFalse();
    }

    @Test
    void heldTimeBeyondTheLimitIsForgotten() {
        share.held(10 * MOST);
        assertThat(share.free(MOST, BEGAN + 11 * MOST)).isFalse();
        assertThat(share.isMostlyHeldFor(1, BEGAN + 11 * MOST)).isTrue();
        assertThat(share.free(1, BEGAN + 11 * MOST + 1)).isFalse();
        assertThat(share.isMostlyHeldFor(1, BEGAN + 11 * MOST + 1)).isFalse();
    }

    @Test
    void itBeginsAnewWhenFreeTimeExceedsHeldTimeByMoreThanTheLimit() {
        assertThat(share.free(MOST, BEGAN + MOST)).isFalse();
        long anew = BEGAN + MOST + 1;
        assertThat(share.free(1, anew)).isTrue();

        assertThat(share.isMostlyHeldFor(MOST, anew + MOST - 1)).isFalse();
        assertThat(share.isMostlyHeldFor(MOST, anew + MOST)).isTrue();
    }
}
