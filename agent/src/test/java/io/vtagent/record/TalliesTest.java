package io.vtagent.record;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TalliesTest {
    private static final int ROUNDS = 300;
    private static final int NEAR_THE_END = 100;

    private final Tallies tallies = new Tallies(Buckets.FINE);
    private final Site site = new Site(PinSite.unattributed(PinKind.PARK), PinReason.NATIVE, null);
    private int overflows;

    @Test
    void whereTheStackEndsAPinCountsWithItsSiteOrNotAtAll() throws Exception {
        add(site);
        descendAgainAndAgain(site);
        assertThat(overflows).isPositive();
        assertThat(site.count()).isEqualTo(count(tallies.of(key()), Buckets.FINE));
    }

    @Test
    void whereTheStackEndsAPinWithoutASiteIsUnattributedOrDoesNotCount() throws Exception {
        add(null);
        descendAgainAndAgain(null);
        assertThat(overflows).isPositive();
        assertThat(count(tallies.unattributed(PinKind.PARK), Buckets.SINGLE))
                .isEqualTo(count(tallies.of(key()), Buckets.FINE));
    }

    private void descendAgainAndAgain(@Nullable Site attributedTo) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Thread thread = new Thread(null, () -> descend(attributedTo), "deep", 256 * 1024L);
            thread.start();
            thread.join();
        }
    }

    /** How many frames there are below this one that have not seen the end of the stack. */
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
        tallies.add(1, PinKind.PARK, PinReason.NATIVE, false, attributedTo);
    }

    private static int key() {
        return PinKey.index(PinKind.PARK, PinReason.NATIVE, false);
    }

    private static long count(@Nullable Tally tally, Buckets buckets) {
        PinTotals totals = new PinTotals(buckets);
        requireNonNull(tally).addTo(totals);
        assertThat(totals.nanos()).as("nanoseconds, one of each pin").isEqualTo(totals.count());
        return totals.count();
    }
}
