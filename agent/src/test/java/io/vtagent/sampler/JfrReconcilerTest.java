package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jfr.VmPin;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
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
    private final JfrReconciler reconciler = new JfrReconciler(ledger);

    @ParameterizedTest
    @CsvSource({
        "0,    true", // the same time
        "-129, true", // ended when it began, almost
        "-130, false",
        "129,  true",
        "130,  false"
    })
    void anEventOfTheSameThreadAndMethodAtThatTimeIsTheHold(int laterMillis, boolean same) {
        reconciler.add(pin(FRAMES), 0);
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void theEventMayArriveBeforeTheEndIsSampled() {
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        reconciler.add(pin(FRAMES), 0);
        assertThat(isCounted()).isFalse();
    }

    @Test
    void anEventOfAnotherThreadOrMethodIsNot() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0));
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.other", 0, 0));
        assertThat(isCounted()).isTrue();
    }

    @Test
    void anEventWithoutItsThreadIsMatchedByItsMethod() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.claim(event(0, "shop.Cart.total", 90, 0));
        assertThat(isCounted()).isFalse();
    }

    @Test
    void withoutAStackTheThreadIsEnough() {
        for (boolean empty : new boolean[] {false, true}) {
            reconciler.add(pin(empty ? List.of() : null), 0);
            reconciler.claim(event(THREAD.threadId(), "shop.Any.thing", 90, 0));
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
        reconciler.add(pin(null), 0);
        reconciler.claim(event(0, "shop.Any.thing", laterMillis, longerMillis));
        assertThat(isCounted()).isNotEqualTo(same);
    }

    @Test
    void aPinThatNoEventClaimsCountsAsSampledWhenNoMoreEventsCanArrive() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.settle(1_000 * MILLI, false);
        assertThat(ledger.totals().count()).isZero();
        reconciler.settle(1_000 * MILLI + 1, false);
        assertThat(ledger.totals().nanos()).isEqualTo(HELD_NANOS);
        reconciler.settle(9_000 * MILLI, false);
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void anEventOfWhatHasBeenCountedIsTooLate() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.settle(1_001 * MILLI, false);
        assertThat(reconciler.claim(event(THREAD.threadId() + 1, "shop.Cart.total", 0, 0)))
                .as("another's")
                .isNotNull();
        assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("its own")
                .isNull();
        assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)))
                .as("a second one")
                .isNotNull();
    }

    /**
     * On a busy machine events are late and samples are rare. The JVM periodically wakes a thread
     * that waits for a monitor.
     */
    @Test
    void ofAnEventThatIsTooLateWhatHasNotBeenCountedCountsOnce() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.add(pin(FRAMES), 0);
        reconciler.settle(1_001 * MILLI, false);
        reconciler.add(pin(FRAMES), 1_001 * MILLI);
        VmPin event = event(THREAD.threadId(), "shop.Cart.total", 0, 2_100);
        VmPin rest = Objects.requireNonNull(reconciler.claim(event));
        reconciler.add(pin(FRAMES), 1_002 * MILLI);
        reconciler.settleAll();

        assertThat(ledger.totals().count()).isEqualTo(2);
        assertThat(rest.nanos()).isEqualTo(event.nanos() - 2 * HELD_NANOS);
        assertThat(rest.beganAtNanos() + rest.nanos())
                .isEqualTo(event.beganAtNanos() + event.nanos());
    }

    /**
     * A thread waits repeatedly at one place. The times of neighbouring waits are too inexact to
     * decide which of them an event describes.
     */
    @Test
    void eachLateEventTakesAsMuchAsItReports() {
        for (int i = 0; i < 3; i++) {
            reconciler.add(pin(FRAMES), i * HELD_NANOS);
        }
        reconciler.settle(1_201 * MILLI, false);
        for (int i = 2; i >= 0; i--) {
            assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", i * 100, 0)))
                    .as("event %s", i)
                    .isNull();
        }
        assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 100, 0)))
                .as("one more")
                .isNotNull();
    }

    @Test
    void aLateEventOverTwoPinsThatHaveBeenCountedTakesItsTimeFromBoth() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.add(pin(FRAMES), HELD_NANOS);
        reconciler.settle(2_000 * MILLI, false);
        assertThat(ledger.totals().nanos()).isEqualTo(2 * HELD_NANOS);

        assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 50)))
                .as("the first and half of the second")
                .isNull();
        VmPin otherHalf = event(THREAD.threadId(), "shop.Cart.total", 150, -50);
        assertThat(reconciler.claim(otherHalf)).isNull();
        assertThat(reconciler.claim(otherHalf)).as("nothing is left").isNotNull();
    }

    @Test
    void eachLateEventWithoutItsThreadTakesAsMuchAsItReports() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.add(pin(FRAMES, Thread.ofVirtual().unstarted(() -> {})), 0);
        reconciler.settle(1_001 * MILLI, false);
        assertThat(reconciler.claim(event(0, "shop.Cart.total", 0, 0))).as("one thread's").isNull();
        assertThat(reconciler.claim(event(0, "shop.Cart.total", 0, 0))).as("the other's").isNull();
        assertThat(reconciler.claim(event(0, "shop.Cart.total", 0, 0))).as("one more").isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"29, true", "30, false"})
    void theErrorOfSamplesIsNotCounted(int longerMillis, boolean counted) {
        reconciler.add(pin(FRAMES), 0);
        reconciler.settle(1_001 * MILLI, false);
        assertThat(
                        reconciler.claim(
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
        reconciler.add(pin(FRAMES), 0);
        reconciler.settle(1_001 * MILLI, late);
        reconciler.settle(millis * MILLI, late);
        assertThat(reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)) != null)
                .isEqualTo(accepted);
    }

    @Test
    void anEventIsReturnedWithTheClassThatTheThreadWasSampledWaitingFor() {
        reconciler.add(needsString(false, FRAMES), 0);
        VmPin claimed =
                Objects.requireNonNull(
                        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0)),
                        "nothing");
        assertThat(claimed.stack().get().monitorClass()).isEqualTo("java.lang.String");
    }

    /** Each event has its own class. The samples cannot distinguish the waits. */
    @Test
    void consecutiveWaitsThatWereSampledAsOneAreReturnedWithTheirClassEach() {
        reconciler.add(needsString(false, FRAMES), 0);
        for (int i = 0; i < 2; i++) {
            VmPin half =
                    claimed(
                            reconciler,
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
            reconciler.add(needsString(false, FRAMES), i * HELD_NANOS);
        }
        for (int i = 0; i < 3; i++) {
            VmPin event =
                    claimed(reconciler, event(THREAD.threadId(), "shop.Cart.total", i * 100, 0));
            assertThat(event.stack().get().monitorClass())
                    .as("event %s", i)
                    .isEqualTo("java.lang.String");
        }
        reconciler.add(needsString(false, FRAMES), 3 * HELD_NANOS);
        assertThat(isCounted()).as("the next one, without an event").isTrue();
    }

    /**
     * The time at which events arrive is JFR's choice, and the sample that finds the end may be
     * later.
     */
    @Test
    void anEventThatArrivesBeforeTheEndIsSampledIsReturnedWithTheClassToo() {
        reconciler.inProgress(List.of(needsString(false, FRAMES)), 0);
        VmPin event = claimed(reconciler, event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        assertThat(event.stack().get().monitorClass()).isEqualTo("java.lang.String");
    }

    @Test
    void whatFitsOneInProgressLeavesTheWaitBeforeItToItsOwnEvent() {
        reconciler.add(needsString(false, FRAMES), 0);
        reconciler.inProgress(List.of(pin(FRAMES)), HELD_NANOS);
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 100, 0));
        reconciler.add(pin(FRAMES), HELD_NANOS);
        VmPin before = claimed(reconciler, event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        assertThat(before.stack().get().monitorClass()).isEqualTo("java.lang.String");
        assertThat(isCounted()).isFalse();
    }

    /**
     * An event without a thread is excluded, because other threads wait at the same place. So is an
     * event that ended long before the sample.
     */
    @ParameterizedTest
    @CsvSource({"0, 0, true", "-29, 0, true", "-30, 0, false", "0, 1, false", "0, 2, false"})
    void anEventDescribesAPinInProgressOnlyIfThatMayHaveEnded(
            int laterMillis, int unknown, boolean reported) {
        reconciler.inProgress(List.of(needsString(false, unknown == 1 ? List.of() : FRAMES)), 0);
        long thread = unknown == 2 ? 0 : THREAD.threadId();
        VmPin claimed = claimed(reconciler, event(thread, "shop.Cart.total", laterMillis, 0));
        assertThat(claimed.stack().get().monitorClass())
                .isEqualTo(reported ? "java.lang.String" : null);
    }

    private static VmPin claimed(JfrReconciler by, VmPin event) {
        return Objects.requireNonNull(by.claim(event), "nothing");
    }

    @Test
    void inTheEndAllThatIsLeftCountsOnce() {
        reconciler.add(pin(FRAMES), 0);
        reconciler.add(pin(null), 0);
        reconciler.settleAll();
        reconciler.settleAll();
        assertThat(ledger.totals().count()).isEqualTo(2);
    }

    @Test
    void beyondTenThousandTheyCountAtOnce() {
        for (int i = 0; i < 10_001; i++) {
            reconciler.add(pin(FRAMES), 0);
        }
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void onlyTheNewestThousandEventsAreRemembered() {
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        for (int i = 0; i < 999; i++) {
            reconciler.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        }
        reconciler.add(pin(FRAMES), 0);
        assertThat(isCounted()).as("with the thousandth").isFalse();
        reconciler.claim(event(THREAD.threadId() + 1, "shop.Any.thing", 0, 0));
        reconciler.add(pin(FRAMES), 0);
        assertThat(isCounted()).as("with one more").isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0,   true",
        "-29, true", // ended shortly before its last sample
        "-30, false", // an earlier one of the same thread at the same place
        "-80, false"
    })
    void aPinSampledUntilNowHasEndedIfAnEventReportsIt(int laterMillis, boolean reported) {
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", laterMillis, 0));
        assertThat(reconciler.isReported(pin(FRAMES), 0)).isEqualTo(reported);
        assertThat(
                        reconciler.isReported(
                                pin(
                                        List.of(
                                                new StackTraceElement(
                                                        "shop.Cart", "other", "Cart.java", 9))),
                                0))
                .isFalse();
    }

    @Test
    void noEventReportsNativeCode() {
        reconciler.claim(event(THREAD.threadId(), "shop.Cart.total", 0, 0));
        SampledPin unread = pin(null);
        assertThat(reconciler.isReported(unread.withState(BlockingState.IN_JVM), 0)).isTrue();
        assertThat(reconciler.isReported(unread.withState(BlockingState.IN_NATIVE_CODE), 0))
                .isFalse();
    }

    /** JDK 24 and 25 report it as a monitor entry in a critical section. */
    @Test
    void aThreadThatWaitedForAClassThatAnotherThreadLinkedEnteredNoMonitor() {
        VmPin event =
                event(
                        THREAD.threadId(),
                        "shop.Cart.total",
                        0,
                        0,
                        VmPin.Blocked.ENTER,
                        "CRITICAL_SECTION");
        VmPin known = claimed(needsString(true, FRAMES), event);
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
        assertThat(claimed(needsString(true, inLoader), event)).isEqualTo(event);
    }

    private VmPin claimed(SampledPin sampled, VmPin event) {
        JfrReconciler others = new JfrReconciler(ledger);
        others.add(sampled, 0);
        return claimed(others, event);
    }

    @Test
    void aPinThatNoEventReportsCountsAsIsKnownByThen() {
        reconciler.add(needsString(true, FRAMES), 0);
        reconciler.settleAll();
        assertThat(ledger.totals().byKey().keySet())
                .extracting(PinKey::kind)
                .containsExactly(PinKind.CLASS_INIT);
    }

    private static SampledPin needsString(boolean entering, List<StackTraceElement> frames) {
        BlockingState forString = BlockingState.entering(List.of(String.class));
        Snapshot stack = new Snapshot(frames, null, List.of());
        return SampledPin.firstSample(
                Thread.currentThread(),
                THREAD,
                entering,
                1,
                DurationEstimate.firstSample(HELD_NANOS),
                stack,
                forString);
    }

    private boolean isCounted() {
        reconciler.settleAll();
        return ledger.totals().count() > 0;
    }

    private static SampledPin pin(@Nullable List<StackTraceElement> frames) {
        return pin(frames, THREAD);
    }

    private static SampledPin pin(@Nullable List<StackTraceElement> frames, Thread thread) {
        Snapshot stack = frames == null ? null : new Snapshot(frames, null, List.of());
        return SampledPin.firstSample(
                Thread.currentThread(),
                thread,
                false,
                1,
                DurationEstimate.firstSample(HELD_NANOS),
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
