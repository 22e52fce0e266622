package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jfr.VmPin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinKind;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pin of 100 ms that has ended at 0, and an event of the JVM that may be the same. */
class JfrReconcilerTest {
    private static final long MILLI = 1_000_000;
    private static final long HELD_NANOS = 100 * MILLI;
    private static final Thread THREAD = Thread.ofVirtual().unstarted(() -> {});
    private static final List<StackTraceElement> FRAMES =
            List.of(new StackTraceElement("shop.Cart", "total", "Cart.java", 7));
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(), -1, "A.a:1", PinnedStack.Cause.NONE, null, "", null, null, Map.of());

    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final JfrReconciler unconfirmed =
            new JfrReconciler(ledger, true, new FramesOfInterest(64));

    @ParameterizedTest
    @CsvSource({
        "0,    true", // the same time
        "-129, true", // ended when it began, almost
        "-130, false",
        "129,  true",
        "130,  false"
    })
    void anEventOfTheSameThreadAndMethodAtThatTimeIsTheHold(int laterMillis, boolean same) {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void theEventMayComeBeforeTheHoldHasBeenSeenToEnd() {
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        unconfirmed.add(pin(FRAMES), 0);
        assertThat(isCounted()).isFalse();
    }

    @Test
    void anEventOfAnotherThreadOrMethodIsNot() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0));
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.other", 0, 0));
        assertThat(isCounted()).isTrue();
    }

    @Test
    void anEventThatDoesNotTellItsThreadIsKnownByItsMethod() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.claim(event(0, "shop.Cart.total", 90, 0));
        assertThat(isCounted()).isFalse();
    }

    @Test
    void withoutAStackTheThreadIsEnough() {
        for (boolean empty : new boolean[] {false, true}) {
            unconfirmed.add(pin(empty ? List.of() : null), 0);
            unconfirmed.claim(event(THREAD.threadId(), "shop.Any.thing", 90, 0));
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
    void withoutAStackAndAThreadBeginAndEndMustFit(
            int laterMillis, int longerMillis, boolean same) {
        unconfirmed.add(pin(null), 0);
        unconfirmed.claim(event(0, "shop.Any.thing", laterMillis, longerMillis));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void whatNoEventClaimsCountsAsItWasSeenWhenNoneCanComeAnyMore() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.settle(1_000 * MILLI, false);
        assertThat(ledger.totals().count()).isZero();
        unconfirmed.settle(1_000 * MILLI + 1, false);
        assertThat(ledger.totals().nanos()).isEqualTo(HELD_NANOS);
        unconfirmed.settle(9_000 * MILLI, false);
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void anEventOfWhatHasBeenCountedIsTooLate() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.settle(1_001 * MILLI, false);
        assertThat(unconfirmed.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0)))
                .as("another's")
                .isNotNull();
        assertThat(unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("its own")
                .isNull();
        assertThat(unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("a second one")
                .isNotNull();
    }

    /**
     * On a busy machine events are late, and looks are seldom; and the JVM wakes a thread that
     * waits for a monitor now and then.
     */
    @Test
    void ofAnEventThatIsTooLateWhatHasNotBeenCountedCountsOnce() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.settle(1_001 * MILLI, false);
        unconfirmed.add(pin(FRAMES), 1_001 * MILLI);
        VmPin event = event(THREAD.threadId(), "shop.Cart.total", 0, 2_100);
        VmPin rest = Objects.requireNonNull(unconfirmed.claim(event));
        unconfirmed.add(pin(FRAMES), 1_002 * MILLI);
        unconfirmed.settleAll();

        assertThat(ledger.totals().count()).isEqualTo(2);
        assertThat(rest.nanos()).isEqualTo(event.nanos() - 2 * HELD_NANOS);
        assertThat(rest.beganAtNanos() + rest.nanos())
                .isEqualTo(event.beganAtNanos() + event.nanos());
    }

    /**
     * Who waits again and again at one place: the times of neighbours are known too roughly to tell
     * which of them an event is.
     */
    @Test
    void ofEventsThatAreTooLateEachTakesAsMuchAsItTells() {
        for (int i = 0; i < 3; i++) {
            unconfirmed.add(pin(FRAMES), i * HELD_NANOS);
        }
        unconfirmed.settle(1_201 * MILLI, false);
        for (int i = 2; i >= 0; i--) {
            assertThat(unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", i * 100, 0)))
                    .as("event %s", i)
                    .isNull();
        }
        assertThat(unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 100, 0)))
                .as("one more")
                .isNotNull();
    }

    @Test
    void ofEventsThatAreTooLateAndDoNotTellTheirThreadEachTakesAsMuchAsItTells() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.add(pin(FRAMES, Thread.ofVirtual().unstarted(() -> {})), 0);
        unconfirmed.settle(1_001 * MILLI, false);
        assertThat(unconfirmed.claim(event(0, "shop.Cart.total", 0, 0)))
                .as("one thread's")
                .isNull();
        assertThat(unconfirmed.claim(event(0, "shop.Cart.total", 0, 0))).as("the other's").isNull();
        assertThat(unconfirmed.claim(event(0, "shop.Cart.total", 0, 0))).as("one more").isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"29, true", "30, false"})
    void whatLooksMayBeOffByIsNotCounted(int longerMillis, boolean counted) {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.settle(1_001 * MILLI, false);
        assertThat(
                        unconfirmed.claim(
                                        event(
                                                THREAD.threadId(),
                                                "shop.Cart.total",
                                                0,
                                                longerMillis))
                                == null)
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @CsvSource({"4000, false, false", "4001, false, true", "9000, true, false"})
    void afterFourSecondsNoEventIsExpectedUnlessTheyHaveOnlyBegun(
            long millis, boolean late, boolean accepted) {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.settle(1_001 * MILLI, late);
        unconfirmed.settle(millis * MILLI, late);
        assertThat(unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)) != null)
                .isEqualTo(accepted);
    }

    @Test
    void anEventIsToldWithTheClassThatTheThreadWasSeenToWaitFor() {
        unconfirmed.add(needsString(false, FRAMES), 0);
        VmPin claimed =
                Objects.requireNonNull(
                        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)),
                        "nothing");
        assertThat(claimed.stack().get().monitorClass()).isEqualTo("java.lang.String");
    }

    /** Each of them tells it of its own: the looks cannot tell one from the next. */
    @Test
    void waitsThatFollowEachOtherAndWereSeenAsOneAreToldWithTheirClassEach() {
        unconfirmed.add(needsString(false, FRAMES), 0);
        for (int i = 0; i < 2; i++) {
            VmPin half =
                    claimed(
                            unconfirmed,
                            event(THREAD.threadId(), "shop.Cart.total", i * 50 - 50, -50));
            assertThat(half.stack().get().monitorClass())
                    .as("event %s", i)
                    .isEqualTo("java.lang.String");
        }
        assertThat(isCounted()).isFalse();
    }

    @Test
    void theWaitsBeforeAndAfterAreLeftToTheirOwnEvents() {
        for (int i = 0; i < 3; i++) {
            unconfirmed.add(needsString(false, FRAMES), i * HELD_NANOS);
        }
        for (int i = 0; i < 3; i++) {
            VmPin told =
                    claimed(unconfirmed, event(THREAD.threadId(), "shop.Cart.total", i * 100, 0));
            assertThat(told.stack().get().monitorClass())
                    .as("event %s", i)
                    .isEqualTo("java.lang.String");
        }
        unconfirmed.add(needsString(false, FRAMES), 3 * HELD_NANOS);
        assertThat(isCounted()).as("the next one, without an event").isTrue();
    }

    /** Events come when JFR likes, and the look that sees the end may come later. */
    @Test
    void anEventThatComesBeforeTheEndHasBeenSeenIsToldWithTheClassToo() {
        unconfirmed.inProgress(List.of(needsString(false, FRAMES)), 0);
        VmPin told = claimed(unconfirmed, event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        assertThat(told.stack().get().monitorClass()).isEqualTo("java.lang.String");
    }

    @Test
    void whatFitsOneInProgressLeavesTheWaitBeforeItToItsOwnEvent() {
        unconfirmed.add(needsString(false, FRAMES), 0);
        unconfirmed.inProgress(List.of(pin(FRAMES)), HELD_NANOS);
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 100, 0));
        unconfirmed.add(pin(FRAMES), HELD_NANOS);
        VmPin before = claimed(unconfirmed, event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        assertThat(before.stack().get().monitorClass()).isEqualTo("java.lang.String");
        assertThat(isCounted()).isFalse();
    }

    /**
     * Neither one that does not tell its thread, since others wait at the same place, nor one that
     * ended long before the look.
     */
    @ParameterizedTest
    @CsvSource({"0, 0, true", "-29, 0, true", "-30, 0, false", "0, 1, false", "0, 2, false"})
    void anEventTellsOfWhatIsInProgressOnlyIfThatMayHaveEnded(
            int laterMillis, int unknown, boolean told) {
        unconfirmed.inProgress(List.of(needsString(false, unknown == 1 ? List.of() : FRAMES)), 0);
        long thread = unknown == 2 ? 0 : THREAD.threadId();
        VmPin claimed = claimed(unconfirmed, event(thread, "shop.Cart.total", laterMillis, 0));
        assertThat(claimed.stack().get().monitorClass())
                .isEqualTo(told ? "java.lang.String" : null);
    }

    private static VmPin claimed(JfrReconciler by, VmPin told) {
        return Objects.requireNonNull(by.claim(told), "nothing");
    }

    @Test
    void inTheEndAllThatIsLeftCountsOnce() {
        unconfirmed.add(pin(FRAMES), 0);
        unconfirmed.add(pin(null), 0);
        unconfirmed.settleAll();
        unconfirmed.settleAll();
        assertThat(ledger.totals().count()).isEqualTo(2);
    }

    @Test
    void beyondTenThousandTheyCountAtOnce() {
        for (int i = 0; i < 10_001; i++) {
            unconfirmed.add(pin(FRAMES), 0);
        }
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void onlyTheNewestThousandEventsAreRemembered() {
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        for (int i = 0; i < 999; i++) {
            unconfirmed.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        }
        unconfirmed.add(pin(FRAMES), 0);
        assertThat(isCounted()).as("with the thousandth").isFalse();
        unconfirmed.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        unconfirmed.add(pin(FRAMES), 0);
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
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(unconfirmed.isTold(pin(FRAMES), 0)).isEqualTo(told);
        assertThat(
                        unconfirmed.isTold(
                                pin(
                                        List.of(
                                                new StackTraceElement(
                                                        "shop.Cart", "other", "Cart.java", 9))),
                                0))
                .isFalse();
    }

    @Test
    void noEventTellsOfNativeCode() {
        unconfirmed.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        SampledPin unread = pin(null);
        assertThat(unconfirmed.isTold(unread.in(BlockingState.IN_JVM), 0)).isTrue();
        assertThat(unconfirmed.isTold(unread.in(BlockingState.IN_NATIVE_CODE), 0)).isFalse();
    }

    /** JDK 24 and 25 tell it as an entry of a monitor, in a critical section. */
    @Test
    void whoWaitedForAClassThatAnotherThreadLinkedEnteredNoMonitor() {
        VmPin told =
                event(
                        THREAD.threadId(),
                        "shop.Cart.total",
                        0,
                        0,
                        VmPin.Blocked.ENTER,
                        "CRITICAL_SECTION");
        VmPin known = claimed(needsString(true, FRAMES), told);
        assertThat(known.blocked()).isEqualTo(VmPin.Blocked.CLASS_INIT);
        assertThat(known.pinned()).isEqualTo("CLASS_INIT");
        assertThat(known.stack().get().monitorClass()).isEqualTo("java.lang.String");

        VmPin ofMonitor =
                event(THREAD.threadId(), "shop.Cart.total", 0, 0, VmPin.Blocked.ENTER, "MONITOR");
        assertThat(claimed(needsString(true, FRAMES), ofMonitor)).isEqualTo(ofMonitor);

        List<StackTraceElement> inLoader = new ArrayList<>(FRAMES);
        inLoader.add(
                new StackTraceElement("java.lang.ClassLoader", "loadClass", "ClassLoader.java", 5));
        inLoader.add(new StackTraceElement("shop.Shop", "open", "Shop.java", 7));
        assertThat(claimed(needsString(true, inLoader), told)).isEqualTo(told);
    }

    private VmPin claimed(SampledPin seen, VmPin told) {
        JfrReconciler others = new JfrReconciler(ledger, true, new FramesOfInterest(64));
        others.add(seen, 0);
        return claimed(others, told);
    }

    @Test
    void whatNoEventTellsOfCountsAsIsKnownByThen() {
        unconfirmed.add(needsString(true, FRAMES), 0);
        unconfirmed.settleAll();
        assertThat(ledger.totals().byKey().keySet())
                .extracting(PinKey::kind)
                .containsExactly(PinKind.CLASS_INIT);
    }

    private static SampledPin needsString(boolean entering, List<StackTraceElement> frames) {
        BlockingState forString = BlockingState.entering(List.of(String.class));
        Snapshot stack = new Snapshot(frames, null, List.of());
        return SampledPin.seen(
                Thread.currentThread(),
                THREAD,
                entering,
                1,
                DurationEstimate.once(HELD_NANOS),
                stack,
                forString);
    }

    private boolean isCounted() {
        unconfirmed.settleAll();
        return ledger.totals().count() > 0;
    }

    private static SampledPin pin(@Nullable List<StackTraceElement> frames) {
        return pin(frames, THREAD);
    }

    private static SampledPin pin(@Nullable List<StackTraceElement> frames, Thread thread) {
        Snapshot stack = frames == null ? null : new Snapshot(frames, null, List.of());
        return SampledPin.seen(
                Thread.currentThread(),
                thread,
                false,
                1,
                DurationEstimate.once(HELD_NANOS),
                stack,
                BlockingState.UNKNOWN);
    }

    private static VmPin event(long threadId, String innermost, int laterMillis, int longerMillis) {
        return event(
                threadId,
                innermost,
                laterMillis,
                longerMillis,
                VmPin.Blocked.CLASS_INIT,
                "CLASS_INIT");
    }

    private static VmPin event(
            long threadId,
            String innermost,
            int laterMillis,
            int longerMillis,
            VmPin.Blocked blocked,
            String pinned) {
        return new VmPin(
                threadId,
                blocked,
                pinned,
                laterMillis * MILLI - HELD_NANOS,
                HELD_NANOS + longerMillis * MILLI,
                "shop.Cart",
                innermost,
                false,
                as -> STACK);
    }
}
