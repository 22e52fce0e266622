package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadStallsTest {
    private static final long SECOND = 1_000_000_000;

    private final ReadStalls stalls = new ReadStalls();

    @Test
    void afterAStallNothingIsReadForTwentyTimesAsLong() {
        assertThat(stalls.isTooSoon(-SECOND)).isFalse();

        stalls.read(0, SECOND);

        assertThat(stalls.isTooSoon(SECOND)).isTrue();
        assertThat(stalls.isTooSoon(21 * SECOND - 1)).isTrue();
        assertThat(stalls.isTooSoon(21 * SECOND)).isFalse();
    }

    @Test
    void afterAQuickReadTheNextOneIsAllowed() {
        stalls.read(0, ReadStalls.MAX_READ_NANOS);

        assertThat(stalls.isTooSoon(ReadStalls.MAX_READ_NANOS)).isFalse();
    }
}
