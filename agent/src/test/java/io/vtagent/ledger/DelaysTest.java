package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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

    @Test
    void aSinkThatLeavesGetsNoMoreAndEverythingWhenItComesBack() {
        List<Long> published = new ArrayList<>();
        Consumer<DurationTotals> sink = since -> published.add(since.nanos());
        delays.publishTo(sink);
        delays.add(1_000);
        delays.totals();
        delays.publishNoMore(sink);
        delays.add(2_000);
        delays.totals();
        delays.awaitPublished(sink); // returns at once
        assertThat(published).containsExactly(1_000L);

        delays.publishTo(sink);
        delays.totals();
        assertThat(published).containsExactly(1_000L, 3_000L);
    }

    @Test
    void aReaderOfASinkWaitsUntilItHasAllThatWasSummedUp() throws InterruptedException {
        CountDownLatch handing = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicLong handed = new AtomicLong();
        Consumer<DurationTotals> sink =
                since -> {
                    handing.countDown();
                    CollectorTest.awaitUninterruptibly(goesOn);
                    handed.addAndGet(since.count());
                };
        delays.publishTo(sink);
        delays.add(1_000);
        Thread another = Thread.ofPlatform().start(delays::totals);
        handing.await();
        delays.add(1_000);
        delays.totals();
        assertThat(handed).hasValue(0);
        goesOn.countDown();
        delays.awaitPublished(sink);

        assertThat(handed).hasValue(2);
        another.join();
    }
}
