package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelaysTest {
    private final Delays delays = new Delays(Buckets.SINGLE);

    @Test
    void theyAddUpToTheirCountSumAndLongest() {
        assertThat(delays.totals().count()).isZero();
        delays.add(3_000);
        delays.add(9_000);
        delays.totals();
        delays.add(1_000);

        DurationTotals totals = delays.totals();
        assertThat(totals.count()).isEqualTo(3);
        assertThat(totals.nanos()).isEqualTo(13_000);
        assertThat(totals.longestNanos()).isEqualTo(9_000);
    }

    @Test
    void eachReachesTheSinkOnceWithTheLongestOfItsInterval() {
        List<DurationTotals> published = new ArrayList<>();
        delays.add(9_000);
        delays.totals(); // before there is a sink
        delays.publishTo(published::add);
        delays.add(1_000);
        delays.totals();
        delays.totals();
        delays.add(2_000);
        delays.totals();

        assertThat(published).extracting(DurationTotals::count).containsExactly(2L, 1L);
        assertThat(published).extracting(DurationTotals::nanos).containsExactly(10_000L, 2_000L);
        assertThat(published)
                .extracting(DurationTotals::longestNanos)
                .containsExactly(9_000L, 2_000L);
    }
}
