package io.vtagent.hook;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationHistogram;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PinHistogramsTest {
    private static final int ROUNDS = 60;
    private static final int NEAR_THE_END = 100;

    private final PinHistograms histograms = new PinHistograms(Buckets.FINE);
    private final Site site = new Site(PinSite.unattributed(PinKind.PARK), PinReason.NATIVE, null);
    private int overflows;

    @Test
    void whereTheStackEndsAPinCountsWithItsSiteOrNotAtAll() throws Exception {
        add(site);
        descendAgainAndAgain(site);
        assertThat(overflows).isPositive();
        assertThat(site.count()).isEqualTo(count(histograms.of(key()), Buckets.FINE));
    }

    @Test
    void whereTheStackEndsAPinWithoutASiteIsUnattributedOrDoesNotCount() throws Exception {
        add(null);
        descendAgainAndAgain(null);
        assertThat(overflows).isPositive();
        assertThat(count(histograms.unattributed(PinKind.PARK), Buckets.COARSE))
                .isEqualTo(count(histograms.of(key()), Buckets.FINE));
    }

    @Test
    void whatIsTakenIsThereNoMore() {
        add(site);
        add(null);
        assertThat(count(histograms.take(key()), Buckets.FINE)).isEqualTo(2);
        assertThat(count(histograms.takeUnattributed(PinKind.PARK), Buckets.COARSE)).isOne();

        assertThat(histograms.take(key())).isNull();
        assertThat(histograms.of(key())).isNull();
        assertThat(histograms.takeUnattributed(PinKind.PARK)).isNull();
        assertThat(histograms.unattributed(PinKind.PARK)).isNull();
    }

    private void descendAgainAndAgain(@Nullable Site attributedTo) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Thread thread = new Thread(null, () -> descend(attributedTo), "deep", 256 * 1024L);
            thread.start();
            thread.join();
        }
    }

    /** Returns how many frames fit below this one before the stack ends. */
    @SuppressWarnings("InfiniteRecursion") // that is the point
    private int descend(@Nullable Site attributedTo) {
        int left;
        try {
            left = descend(attributedTo) + 1;
        } catch (StackOverflowError end) {
            left = 0;
        }
        if (left < NEAR_THE_END) {
            try {
                add(attributedTo);
            } catch (StackOverflowError expected) {
                overflows++;
            }
        }
        return left;
    }

    private void add(@Nullable Site attributedTo) {
        histograms.add(1, PinKind.PARK, PinReason.NATIVE, false, attributedTo);
    }

    private static int key() {
        return PinKey.index(PinKind.PARK, PinReason.NATIVE, false);
    }

    private static long count(@Nullable DurationHistogram histogram, Buckets buckets) {
        DurationTotals totals = new DurationTotals(buckets);
        requireNonNull(histogram).addTo(totals);
        assertThat(totals.nanos()).as("nanoseconds, one of each pin").isEqualTo(totals.count());
        return totals.count();
    }
}
