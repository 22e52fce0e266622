package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StandingThreadsTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong mounts = new AtomicLong();
    private final StandingThreads standing = new StandingThreads(mounts::get);

    @Test
    void beforeTheFirstMomentNothingIsKnown() {
        assertThat(standing.nanos(10, 7 * SECOND)).isZero();
    }

    @Test
    void aThreadIsWhereItIsSinceThereWereFewerMountsThanThreads() {
        for (int second = 0; second < 10; second++) {
            standing.keep(second * SECOND);
            mounts.addAndGet(3);
        }

        // the last 3 s have 9 mounts, the last 4 s have 12
        assertThat(standing.nanos(10, 10 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(standing.nanos(3, 10 * SECOND)).isZero();
        assertThat(standing.nanos(1_000, 10 * SECOND)).isEqualTo(10 * SECOND);
    }

    @Test
    void aMinuteIsKept() {
        for (int second = 0; second < 600; second++) {
            standing.keep(second * SECOND);
        }

        assertThat(standing.nanos(1, 600 * SECOND)).isEqualTo(60 * SECOND);
    }
}
