package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.Snapshot;
import io.vtagent.vm.VmHold;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A hold of 100 ms that has ended at 0, and an event of the JVM that may be the same. */
class UndecidedTest {
    private static final long MILLI = 1_000_000;
    private static final long HELD_NANOS = 100 * MILLI;
    private static final Thread THREAD = Thread.ofVirtual().unstarted(() -> {});
    private static final List<StackTraceElement> FRAMES =
            List.of(new StackTraceElement("shop.Cart", "total", "Cart.java", 7));
    private static final HeldStack STACK =
            new HeldStack(List.of(), -1, "A.a:1", HeldStack.Cause.NONE, null, "", null, null, Map.of());

    private final Ledger ledger = new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final Undecided undecided = new Undecided(ledger, true, new FramesOfInterest(64));

    @ParameterizedTest
    @CsvSource({
        "0,    true", // the same time
        "-129, true", // ended when it began, almost
        "-130, false",
        "129,  true",
        "130,  false"
    })
    void anEventOfTheSameThreadAndMethodAtThatTimeIsTheHold(int laterMillis, boolean same) {
        undecided.add(hold(FRAMES), 0);
        undecided.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void theEventMayComeBeforeTheHoldHasBeenSeenToEnd() {
        undecided.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        undecided.add(hold(FRAMES), 0);
        assertThat(isCounted()).isFalse();
    }

    @Test
    void anEventOfAnotherThreadOrMethodIsNot() {
        undecided.add(hold(FRAMES), 0);
        undecided.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0));
        undecided.claim(event(THREAD.threadId(), "shop.Cart.other", 0, 0));
        assertThat(isCounted()).isTrue();
    }

    @Test
    void anEventThatDoesNotTellItsThreadIsKnownByItsMethod() {
        undecided.add(hold(FRAMES), 0);
        undecided.claim(event(0, "shop.Cart.total", 90, 0));
        assertThat(isCounted()).isFalse();
    }

    @Test
    void withoutAStackTheThreadIsEnough() {
        for (boolean empty : new boolean[] {false, true}) {
            undecided.add(hold(empty ? List.of() : null), 0);
            undecided.claim(event(THREAD.threadId(), "shop.Any.thing", 90, 0));
            assertThat(isCounted()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,   0,   true",
        "29,  0,   true",
        "-29, 0,   true",
        "30,  0,   false",
        "-30, 0,   false",
        "20,  20,  false", // the end is 40 ms off
        "-20, 40,  true",
        "25,  -50, true"
    })
    void withoutAStackAndAThreadBeginAndEndMustFit(int laterMillis, int longerMillis, boolean same) {
        undecided.add(hold(null), 0);
        undecided.claim(event(0, "shop.Any.thing", laterMillis, longerMillis));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void whatNoEventClaimsCountsAsItWasSeenWhenNoneCanComeAnyMore() {
        undecided.add(hold(FRAMES), 0);
        undecided.settle(1_000 * MILLI, false);
        assertThat(ledger.totals().count()).isZero();
        undecided.settle(1_000 * MILLI + 1, false);
        assertThat(ledger.totals().nanos()).isEqualTo(HELD_NANOS);
        undecided.settle(9_000 * MILLI, false);
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void anEventOfWhatHasBeenCountedIsTooLate() {
        undecided.add(hold(FRAMES), 0);
        undecided.settle(1_001 * MILLI, false);
        assertThat(undecided.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0)))
                .as("another's")
                .isNotNull();
        assertThat(undecided.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("its own")
                .isNull();
        assertThat(undecided.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("a second one")
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"4000, false, false", "4001, false, true", "9000, true, false"})
    void afterFourSecondsNoEventIsExpectedUnlessTheyHaveOnlyBegun(long millis, boolean late, boolean accepted) {
        undecided.add(hold(FRAMES), 0);
        undecided.settle(1_001 * MILLI, late);
        undecided.settle(millis * MILLI, late);
        assertThat(undecided.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)) != null)
                .isEqualTo(accepted);
    }

    @Test
    void inTheEndAllThatIsLeftCountsOnce() {
        undecided.add(hold(FRAMES), 0);
        undecided.add(hold(null), 0);
        undecided.settleAll();
        undecided.settleAll();
        assertThat(ledger.totals().count()).isEqualTo(2);
    }

    @Test
    void beyondTenThousandTheyCountAtOnce() {
        for (int i = 0; i < 10_001; i++) {
            undecided.add(hold(FRAMES), 0);
        }
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void onlyTheNewestThousandEventsAreRemembered() {
        undecided.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        for (int i = 0; i < 999; i++) {
            undecided.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        }
        undecided.add(hold(FRAMES), 0);
        assertThat(isCounted()).as("with the thousandth").isFalse();
        undecided.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        undecided.add(hold(FRAMES), 0);
        assertThat(isCounted()).as("with one more").isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0,   true",
        "-29, true", // ended a little before it was seen last
        "-30, false", // an earlier one of the same thread at the same place
        "-80, false"
    })
    void whatIsSeenUntilNowHasEndedIfAnEventTellsSo(int laterMillis, boolean told) {
        undecided.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(undecided.isTold(hold(FRAMES), 0)).isEqualTo(told);
        assertThat(undecided.isTold(hold(List.of(new StackTraceElement("shop.Cart", "other", "Cart.java", 9))), 0))
                .isFalse();
    }

    private boolean isCounted() {
        undecided.settleAll();
        return ledger.totals().count() > 0;
    }

    private static Hold hold(@Nullable List<StackTraceElement> frames) {
        Snapshot stack = frames == null ? null : new Snapshot(frames, null, List.of());
        return Hold.seen(Thread.currentThread(), THREAD, false, 1, HELD_NANOS, stack, Sleep.UNKNOWN);
    }

    private static VmHold event(long threadId, String innermost, int laterMillis, int longerMillis) {
        return new VmHold(
                threadId,
                VmHold.Blocked.CLASS_INIT,
                "CLASS_INIT",
                laterMillis * MILLI - HELD_NANOS,
                HELD_NANOS + longerMillis * MILLI,
                "shop.Cart",
                innermost,
                false,
                () -> STACK);
    }
}
