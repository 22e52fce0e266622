package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hook.Hooks;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.thread.AgentThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long NEVER_NANOS = Long.MAX_VALUE;
    private static final PinKey PARK_IN_MONITOR =
            new PinKey(PinKind.PARK, PinReason.MONITOR, false);
    private static final PinKey WAIT = new PinKey(PinKind.WAIT, PinReason.MONITOR, false);
    private static final PinKey ENTER = new PinKey(PinKind.ENTER, PinReason.MONITOR, false);
    private static final PinKey IO = new PinKey(PinKind.IO, PinReason.NONE, false);
    private static final PinKind NATIVE = PinKind.NATIVE;
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(),
                    -1,
                    "A.a:1",
                    PinnedStack.Cause.NONE,
                    null,
                    "synchronized",
                    null,
                    null,
                    Map.of());

    /** The token that the sensor returned at the beginning of a pin, for its end. */
    private static volatile @Nullable Object began;

    private final Ledger ledger = ledger(true, NEVER_NANOS);

    @Test
    void theReasonOfAParkIsTheOneOfTheFailedYieldBeforeIt() {
        OnVirtualThread.run(
                () -> {
                    ledger.hooks().onYieldFailed("MONITOR");
                    began = ledger.hooks().onParkBegan();
                    ledger.hooks().onParkEnded(began);
                    began = ledger.hooks().onParkBegan();
                    ledger.hooks().onParkEnded(began);
                });
        assertThat(counts(ledger))
                .isEqualTo(
                        Map.of(
                                PARK_IN_MONITOR,
                                1L,
                                new PinKey(PinKind.PARK, PinReason.NONE, false),
                                1L));
    }

    @Test
    void aPinLastsFromItsBeginningToItsEnd() {
        long[] atLeastNanos = new long[1];
        long[] atMostNanos = new long[1];
        OnVirtualThread.run(
                () -> {
                    long beforeNanos = System.nanoTime();
                    began = ledger.hooks().onWaitBegan();
                    long begunNanos = System.nanoTime();
                    LockSupport.parkNanos(2_000_000);
                    atLeastNanos[0] = System.nanoTime() - begunNanos;
                    ledger.hooks().onWaitEnded(began, null);
                    atMostNanos[0] = System.nanoTime() - beforeNanos;
                });
        DurationTotals total = total(ledger, WAIT);
        assertThat(total.nanos()).isBetween(atLeastNanos[0], atMostNanos[0]);
        assertThat(total.longestNanos()).isEqualTo(total.nanos());
        assertThat(ledger.totals().nanos()).isEqualTo(total.nanos());
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @Test
    void aWaitThatWasInterruptedIsAPinAndOneWithoutTheMonitorIsNone() {
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks()
                            .onWaitEnded(
                                    began,
                                    new IllegalMonitorStateException(
                                            "current thread is not owner"));
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks()
                            .onWaitEnded(
                                    began,
                                    new IllegalArgumentException("timeout value is negative"));
                });
        assertThat(counts(ledger)).isEmpty();

        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onWaitEnded(began, new InterruptedException());
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onWaitEnded(began, null);
                });
        assertThat(counts(ledger)).isEqualTo(Map.of(WAIT, 2L));
    }

    @Test
    void whereMonitorsDoNotPinAWaitThatCouldUnmountIsNone() {
        Ledger withoutMonitorPins = ledger(false, NEVER_NANOS);
        OnVirtualThread.run(
                () -> {
                    began = withoutMonitorPins.hooks().onWaitBegan();
                    withoutMonitorPins.hooks().onWaitEnded(began, null);
                });
        assertThat(counts(withoutMonitorPins)).isEmpty();
    }

    /** A class whose initializer waits on the thread that initializes it. */
    private static final class WaitsInInitializer {
        static final Ledger LEDGER = ledger(false, NEVER_NANOS);

        static {
            began = LEDGER.hooks().onWaitBegan();
            LEDGER.hooks().onWaitEnded(began, null);
        }
    }

    @Test
    void whereMonitorsDoNotPinAWaitInAClassInitializerIsHeldByThat() {
        Ledger[] used = new Ledger[1];
        OnVirtualThread.run(() -> used[0] = WaitsInInitializer.LEDGER);
        assertThat(counts(used[0]))
                .isEqualTo(Map.of(new PinKey(PinKind.WAIT, PinReason.CLASS_INIT, false), 1L));
    }

    @Test
    void anEntryOfMoreThanFiveMicrosecondsCounts() {
        int entries = 200;
        OnVirtualThread.run(
                () -> {
                    for (int i = 0; i < entries; i++) {
                        Object entry = Objects.requireNonNull(ledger.hooks().onEnterBegan(this));
                        for (long beganNanos = System.nanoTime();
                                System.nanoTime() - beganNanos < 20_000; ) {
                            Thread.onSpinWait();
                        }
                        ledger.hooks().onEnterEnded(entry);
                    }
                });
        assertThat(counts(ledger)).isEqualTo(Map.of(ENTER, (long) entries));
        assertThat(Hooks.MIN_ENTRY_NANOS).isEqualTo(5_000);
    }

    @Test
    void anEntryThatTookLessHasNotBlocked() {
        int entries = 20_000;
        int[] mayCount = new int[1];
        OnVirtualThread.run(
                () -> {
                    for (int i = 0; i < entries; i++) {
                        long beforeNanos = System.nanoTime();
                        ledger.hooks()
                                .onEnterEnded(
                                        Objects.requireNonNull(ledger.hooks().onEnterBegan(this)));
                        mayCount[0] +=
                                System.nanoTime() - beforeNanos >= Hooks.MIN_ENTRY_NANOS ? 1 : 0;
                    }
                });
        assertThat(mayCount[0]).isLessThan(entries);
        assertThat(counts(ledger).getOrDefault(ENTER, 0L)).isLessThanOrEqualTo(mayCount[0]);
    }

    @Test
    void theBracketsOfAWaitDoNotCountAgainAndReportThatItIsCompensated() {
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onCompensationTried(true);
                    ledger.hooks().onIoBegan();
                    ledger.hooks().onIoEnded();
                    ledger.hooks().onWaitEnded(began, null);
                });
        assertThat(counts(ledger))
                .isEqualTo(Map.of(new PinKey(PinKind.WAIT, PinReason.MONITOR, true), 1L));
    }

    @Test
    void whereMonitorsDoNotPinBracketsInAWaitCountForThemselves() {
        Ledger withoutMonitorPins = ledger(false, NEVER_NANOS);
        OnVirtualThread.run(
                () -> {
                    began = withoutMonitorPins.hooks().onWaitBegan();
                    withoutMonitorPins.hooks().onIoBegan();
                    withoutMonitorPins.hooks().onIoEnded();
                });
        assertThat(counts(withoutMonitorPins)).isEqualTo(Map.of(IO, 1L));
    }

    @Test
    void whatTheSchedulerAnsweredGoesToTheNextBracketsAndNoFurther() {
        OnVirtualThread.run(
                () -> {
                    ledger.hooks().onCompensationTried(false);
                    ledger.hooks().onIoBegan();
                    ledger.hooks().onIoEnded();
                    ledger.hooks().onCompensationTried(true);
                    ledger.hooks().onIoBegan();
                    ledger.hooks().onIoEnded();
                    ledger.hooks().onIoBegan();
                    ledger.hooks().onIoEnded();
                });
        assertThat(counts(ledger))
                .isEqualTo(Map.of(IO, 2L, new PinKey(PinKind.IO, PinReason.NONE, true), 1L));
    }

    @Test
    void pinsWithoutAStackAreUnattributedAndOthersHaveASite() {
        Ledger walking = LedgerWarmUp.warmUp(ledger(true, 0));
        for (Ledger each : List.of(ledger, walking)) {
            OnVirtualThread.run(
                    () -> {
                        began = each.hooks().onWaitBegan();
                        each.hooks().onWaitEnded(began, null);
                    });
        }
        assertThat(ledger.totals().unattributed(PinKind.WAIT).count()).isEqualTo(1);
        assertThat(ledger.sites()).isEmpty();
        assertThat(walking.totals().unattributed(PinKind.WAIT).count()).isZero();
        assertThat(walking.sites())
                .singleElement()
                .satisfies(
                        site -> {
                            assertThat(site.count()).isEqualTo(1);
                            assertThat(site.key().kind()).isEqualTo(PinKind.WAIT);
                            assertThat(site.nanos())
                                    .isEqualTo(walking.totals().nanos())
                                    .isEqualTo(site.longestNanos());
                        });
    }

    /** Unlike others it is walked only once it has ended. */
    @Test
    void anIoPinHasASiteTooFromTheThresholdOn() {
        Ledger walking = LedgerWarmUp.warmUp(ledger(true, 0));
        OnVirtualThread.run(
                () -> {
                    walking.hooks().onIoBegan();
                    assertThat(walking.active().get(0).site()).isNull();
                    walking.hooks().onIoEnded();
                });
        assertThat(walking.totals().unattributed(PinKind.IO).count()).isZero();
        assertThat(walking.sites())
                .singleElement()
                .satisfies(
                        site -> {
                            assertThat(site.count()).isEqualTo(1);
                            assertThat(site.key().kind()).isEqualTo(PinKind.IO);
                        });
    }

    @Test
    void anEntryThatIsWalkedOnlyAtItsEndIsHeldByItsMonitorToo() {
        Ledger later = LedgerWarmUp.warmUp(ledger(true, NEVER_NANOS));
        Thread monitor = new Thread();
        OnVirtualThread.run(
                () -> {
                    Object entry = Objects.requireNonNull(later.hooks().onEnterBegan(monitor));
                    while (later.active().get(0).ageNanos() < 2 * Hooks.MIN_ENTRY_NANOS) {
                        Thread.onSpinWait();
                    }
                    later.stackThreshold(0);
                    later.hooks().onEnterEnded(entry);
                });
        assertThat(later.sites())
                .singleElement()
                .satisfies(
                        site ->
                                assertThat(Objects.requireNonNull(site.stack()).monitorClass())
                                        .isEqualTo("java.lang.Thread"));
    }

    @Test
    void theTimeForWhichThreadsWereQueuedCountsAtTheSiteOrAsUnattributed() {
        Site site = ledger.siteOf(PinKind.NATIVE, PinReason.NATIVE, STACK);
        ledger.addWaited(activeAt(site), 300);
        ledger.addWaited(activeAt(null), 50);
        ledger.addWaited(activeAt(null), 20);

        assertThat(site.key()).isEqualTo(new PinSite("A.a:1", "A.a:1", STACK.operation(), NATIVE));
        assertThat(site.waitedNanos()).isEqualTo(300);
        assertThat(ledger.waitedUnattributedNanos(NATIVE)).isEqualTo(70);
        assertThat(ledger.waitedUnattributedNanos(PinKind.PARK)).isZero();
    }

    private static ActivePin activeAt(@Nullable Site site) {
        Thread thread = Thread.currentThread();
        return ActivePins.of(NATIVE, PinReason.NATIVE, 1, thread, thread, false, site, null);
    }

    @Test
    void totalsThatAreNotPublishedReachTheSinkWithTheNext() {
        List<Long> published = new ArrayList<>();
        ledger.publishTo((key, since) -> published.add(since.nanos()));
        assertThat(ledger.isEmpty()).isTrue();
        ledger.add(NATIVE, PinReason.NONE, 100, () -> null);

        assertThat(ledger.isEmpty()).isFalse();
        assertThat(ledger.unpublishedTotals().nanos()).isEqualTo(100);
        assertThat(published).isEmpty();
        ledger.totals();
        assertThat(published).containsExactly(100L);
    }

    @Test
    void theThresholdForStacksIsTheShortestThatHasOne() {
        ledger.stackThreshold(100);
        assertThat(ledger.isForStack(99)).isFalse();
        assertThat(ledger.isForStack(100)).isTrue();
    }

    @Test
    void theSamplerAsksForTheStackFromTheThresholdOn() {
        Ledger from = ledger(true, 100);
        from.add(
                PinKind.NATIVE,
                PinReason.NONE,
                99,
                () -> {
                    throw new AssertionError("too short to be walked");
                });
        from.add(PinKind.NATIVE, PinReason.NONE, 100, () -> STACK);
        from.add(PinKind.NATIVE, PinReason.NONE, 300, () -> null);

        assertThat(from.totals().unattributed(PinKind.NATIVE).nanos()).isEqualTo(399);
        assertThat(from.totals().unattributed(PinKind.NATIVE).longestNanos()).isEqualTo(300);
        assertThat(from.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.nanos()).isEqualTo(100));
    }

    @Test
    void pinsBeyondTheMostSitesKeepTheirReason() {
        Ledger small = new Ledger(true, 0, new FramesOfInterest(64), 1, Buckets.SINGLE);
        PinnedStack other =
                new PinnedStack(
                        List.of(),
                        -1,
                        "B.b:2",
                        PinnedStack.Cause.NONE,
                        null,
                        "synchronized",
                        null,
                        null,
                        Map.of());
        small.add(PinKind.PARK, PinReason.MONITOR, 1, () -> STACK);
        small.add(PinKind.PARK, PinReason.MONITOR, 1, () -> other);

        assertThat(counts(small)).isEqualTo(Map.of(PARK_IN_MONITOR, 2L));
    }

    @Test
    void everyPinIsPublishedOnce() {
        List<Long> published = new ArrayList<>();
        ledger.publishTo((key, since) -> published.add(since.count()));
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onWaitEnded(began, null);
                });
        ledger.totals();
        ledger.totals();
        assertThat(published).containsExactly(1L);
    }

    @Test
    void everyPinIsPublishedOnceHoweverManyAskAtATime() throws InterruptedException {
        LongAdder published = new LongAdder();
        ledger.publishTo((key, since) -> published.add(since.count()));
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            asking.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            ledger.totals();
                                        }
                                    }));
        }
        int pins = 200_000;
        OnVirtualThread.run(
                () -> {
                    for (int i = 0; i < pins; i++) {
                        began = ledger.hooks().onWaitBegan();
                        ledger.hooks().onWaitEnded(began, null);
                    }
                });
        over.set(true);
        for (Thread thread : asking) {
            thread.join();
        }
        ledger.totals();
        assertThat(published.sum()).isEqualTo(pins);
    }

    @Test
    void refusalsOfTheSchedulerAreCounted() {
        ledger.hooks().onSubmitFailed();
        ledger.hooks().onSubmitFailed();
        assertThat(ledger.submitFailures()).isEqualTo(2);
    }

    @Test
    void whatItRefusesTheAgentIsNotCounted() {
        AgentThread.join(
                AgentThread.start("vt-agent-test", ledger.hooks()::onSubmitFailed), Long.MAX_VALUE);
        assertThat(ledger.submitFailures()).isZero();
    }

    private static Ledger ledger(boolean monitorsPin, long stackThresholdNanos) {
        return new Ledger(
                monitorsPin, stackThresholdNanos, new FramesOfInterest(64), 10, Buckets.SINGLE);
    }

    private static Map<PinKey, Long> counts(Ledger ledger) {
        Map<PinKey, Long> counts = new HashMap<>();
        ledger.totals().byKey().forEach((key, total) -> counts.put(key, total.count()));
        return counts;
    }

    private static DurationTotals total(Ledger ledger, PinKey key) {
        return Objects.requireNonNull(ledger.totals().byKey().get(key));
    }
}
