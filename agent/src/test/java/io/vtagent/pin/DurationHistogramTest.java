package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {

    @Test
    void aReaderNeverSeesACountWithoutItsTime() throws InterruptedException {
        DurationHistogram histogram = new DurationHistogram(Buckets.SINGLE);
        AtomicBoolean ended = new AtomicBoolean();
        Thread writer =
                new Thread(
                        () -> {
                            for (int i = 0; i < 2_000_000; i++) {
                                histogram.add(3);
                            }
                            ended.set(true);
                        });
        writer.start();
        while (!ended.get()) {
            DurationTotals totals = new DurationTotals(Buckets.SINGLE);
            histogram.addTo(totals);
            assertThat(totals.nanos()).isGreaterThanOrEqualTo(3 * totals.count());
        }
        writer.join();
        DurationTotals totals = new DurationTotals(Buckets.SINGLE);
        histogram.addTo(totals);
        assertThat(totals.count()).isEqualTo(2_000_000);
        assertThat(totals.nanos()).isEqualTo(6_000_000);
    }
}
