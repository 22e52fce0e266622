package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records in a timer for two durations of 20 µs in all. */
class SummedTimerTest {
    private final DurationTotals two = new DurationTotals(Buckets.SINGLE);
    private final List<Long> handed = new ArrayList<>();

    @Test
    void hasTheLongestWhereThatIsOneOfThem() {
        two.longest(15_000);
        hand();
        assertThat(handed).containsExactly(15_000L, 5_000L);
    }

    @Test
    void hasNoneThatIsTwiceAsLongWhereTheLongestIsNotKnownYetOrIsThatOfALaterOne() {
        hand();
        two.longest(40_000);
        hand();
        assertThat(handed).containsExactly(10_000L, 10_000L, 10_000L, 10_000L);
    }

    private void hand() {
        if (two.count() == 0) {
            two.add(0, 2, 20_000);
        }
        SummedTimer.record(two, handed::add);
    }
}
