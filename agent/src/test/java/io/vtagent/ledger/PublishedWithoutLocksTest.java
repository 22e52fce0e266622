package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.hook.PinHistograms;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Figures are published while no lock of the ledger is held, because receivers take locks of their
 * own: another thread need not wait.
 */
@Timeout(60)
class PublishedWithoutLocksTest {
    private static final PinHistograms OUTSIDE = new PinHistograms(Buckets.SINGLE);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final List<Boolean> othersWentOn = new ArrayList<>();

    private boolean another(Runnable does) {
        try {
            return Thread.ofPlatform().daemon().start(does).join(LONG);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @Test
    void othersSumUpPinsWhileTheyArePublished() {
        Collector collector = new Collector(Buckets.SINGLE);
        PinHistograms histograms = new PinHistograms(Buckets.SINGLE);
        histograms.add(1_000, PinKind.PARK, PinReason.NONE, false, null);
        collector.publishTo(
                (key, since) ->
                        othersWentOn.add(another(() -> collector.collect(List.of(), histograms))));

        collector.collect(List.of(), histograms);

        assertThat(othersWentOn).containsExactly(true);
    }

    @Test
    void othersSumUpDelaysWhileTheyArePublished() {
        Delays delays = new Delays(Buckets.SINGLE);
        delays.add(1_000);
        delays.publishTo(since -> othersWentOn.add(another(delays::totals)));

        delays.totals();

        assertThat(othersWentOn).containsExactly(true);
    }

    @Test
    void othersGetTheHeldTimeWhileItIsRead() {
        AtomicBoolean wentOn = new AtomicBoolean();
        Collector collector = new Collector(Buckets.SINGLE);
        HeldTime[] held = new HeldTime[1];
        held[0] =
                new HeldTime(
                        () -> {
                            wentOn.set(another(() -> held[0].nanos(PinKind.PARK)));
                            return collector.collect(List.of(), OUTSIDE);
                        },
                        List::of);

        held[0].refresh();

        assertThat(wentOn).isTrue();
    }

    @Test
    void whatASinkCouldNotTakeIsPublishedTheNextTimeWithItsLongest() {
        Collector collector = new Collector(Buckets.SINGLE);
        PinHistograms histograms = new PinHistograms(Buckets.SINGLE);
        List<DurationTotals> taken = new ArrayList<>();
        AtomicBoolean fails = new AtomicBoolean(true);
        collector.publishTo(
                (key, since) -> {
                    if (fails.get()) {
                        throw new OutOfMemoryError("made up");
                    }
                    taken.add(since);
                });
        histograms.add(9_000, PinKind.PARK, PinReason.NONE, false, null);
        assertThatThrownBy(() -> collector.collect(List.of(), histograms))
                .isInstanceOf(OutOfMemoryError.class);
        histograms.add(1_000, PinKind.PARK, PinReason.NONE, false, null);
        fails.set(false);

        collector.collect(List.of(), histograms);
        collector.collect(List.of(), histograms);

        assertThat(taken)
                .singleElement()
                .satisfies(
                        since ->
                                assertThat(
                                                Map.of(
                                                        "count",
                                                        since.count(),
                                                        "nanos",
                                                        since.nanos(),
                                                        "longest",
                                                        since.longestNanos()))
                                        .isEqualTo(
                                                Map.of(
                                                        "count", 2L, "nanos", 10_000L, "longest",
                                                        9_000L)));
    }

    @Test
    void whatEndsDuringAPublicationIsPublishedNextWithItsOwnLongest() {
        Collector collector = new Collector(Buckets.SINGLE);
        PinHistograms histograms = new PinHistograms(Buckets.SINGLE);
        List<Long> longest = new ArrayList<>();
        histograms.add(1_000, PinKind.PARK, PinReason.NONE, false, null);
        collector.publishTo(
                (key, since) -> {
                    longest.add(since.longestNanos());
                    if (longest.size() == 1) {
                        histograms.add(9_000, PinKind.PARK, PinReason.NONE, false, null);
                        // makes this thread publish once more
                        collector.collect(List.of(), histograms);
                    }
                });

        collector.collect(List.of(), histograms);

        assertThat(longest).containsExactly(1_000L, 9_000L);
    }
}
