package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LedgerActivePinsTest {
    private static final long NEVER_NANOS = Long.MAX_VALUE;

    /** The token that the sensor returned at the beginning of a pin, for its end. */
    private static volatile @Nullable Object began;

    private final Ledger ledger = ledger(true, NEVER_NANOS);

    @Test
    void pinsInProgressAreVisibleToOtherThreads() {
        OnVirtualThread.run(
                () -> {
                    ledger.hooks().onYieldFailed("CLASS_INIT");
                    began = ledger.hooks().onParkBegan();
                    assertThat(ledger.active())
                            .singleElement()
                            .satisfies(
                                    pin -> {
                                        assertThat(pin.kind()).isEqualTo(PinKind.PARK);
                                        assertThat(pin.reason()).isEqualTo(PinReason.CLASS_INIT);
                                        assertThat(pin.thread()).isSameAs(Thread.currentThread());
                                        assertThat(pin.carrier().isVirtual()).isFalse();
                                        assertThat(pin.compensated()).isFalse();
                                        assertThat(pin.ageNanos()).isNotNegative();
                                        assertThat(pin.site()).isNull();
                                    });
                    ledger.hooks().onParkEnded(began);
                    assertThat(ledger.active()).isEmpty();
                    Object entry = Objects.requireNonNull(ledger.hooks().onEnterBegan("monitor"));
                    assertThat(ledger.active())
                            .singleElement()
                            .satisfies(pin -> assertThat(pin.monitor()).isEqualTo("monitor"));
                    ledger.hooks().onEnterEnded(entry);
                });
    }

    @Test
    void theAgeOfAPinInProgressGrows() {
        OnVirtualThread.run(
                () -> {
                    long beforeNanos = System.nanoTime();
                    began = ledger.hooks().onParkBegan();
                    long begunNanos = System.nanoTime();
                    VirtualThreads.pin();
                    LockSupport.parkNanos(1_000_000);
                    long leastNanos = System.nanoTime() - begunNanos;
                    long ageNanos = ledger.active().get(0).ageNanos();
                    assertThat(ageNanos).isBetween(leastNanos, System.nanoTime() - beforeNanos);
                    VirtualThreads.unpin();
                    ledger.hooks().onParkEnded(began);
                });
    }

    @Test
    void aThreadThatHasLeftItsCarrierHoldsItNoMore() throws InterruptedException {
        Ledger withoutMonitorPins = ledger(false, NEVER_NANOS);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread waiter =
                Thread.startVirtualThread(
                        () -> {
                            began = withoutMonitorPins.hooks().onWaitBegan();
                            begun.countDown();
                            awaitUninterruptibly(end);
                        });
        begun.await();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(withoutMonitorPins.active()).isEmpty();
        end.countDown();
        waiter.join();
    }

    /** Where monitors do not pin, it is read for what else does, which here is nothing. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 0"})
    void readingAStackDoesNotLeaveTheThreadOnItsCarrier(boolean monitorsPin, int sites)
            throws InterruptedException {
        Ledger walking = LedgerWarmUp.warmUp(ledger(monitorsPin, 0));
        Thread thread =
                Thread.startVirtualThread(
                        () -> {
                            began = walking.hooks().onWaitBegan();
                            walking.hooks().onWaitEnded(began, null);
                            LockSupport.park();
                        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(VirtualThreads.isMounted(thread)).isFalse();
        LockSupport.unpark(thread);
        thread.join();
        assertThat(walking.sites()).hasSize(sites);
    }

    @Test
    void onceWarmTheSiteOfAPinIsKnownWhenItBegins() {
        Ledger tenSeconds = ledger(true, 10_000_000_000L);
        Ledger longer = ledger(true, 10_000_000_001L);
        OnVirtualThread.run(
                () -> {
                    assertThat(siteInProgress(tenSeconds)).as("not before it is warm").isNull();
                    LedgerWarmUp.warmUp(tenSeconds);
                    LedgerWarmUp.warmUp(longer);
                    Site site = Objects.requireNonNull(siteInProgress(tenSeconds));
                    assertThat(site.key().kind()).isEqualTo(PinKind.WAIT);
                    assertThat(siteInProgress(longer)).as("with a threshold beyond that").isNull();
                });
        assertThat(tenSeconds.totals().unattributed(PinKind.WAIT).count()).isEqualTo(2);
    }

    @Test
    void anEntryThatIsTooShortToCountIsRememberedAsUsual() {
        ledger.relieves(true);
        LedgerWarmUp.warmUp(ledger);
        OnVirtualThread.run(
                () -> {
                    Object entry = Objects.requireNonNull(ledger.hooks().onEnterBegan(this));
                    Site site = Objects.requireNonNull(ledger.active().get(0).site());
                    assertThat(site.usualNanos()).isEqualTo(Site.UNKNOWN);
                    ledger.hooks().onEnterEnded(entry);
                    assertThat(site.usualNanos()).isNotNegative();
                });
    }

    private static @Nullable Site siteInProgress(Ledger ledger) {
        began = ledger.hooks().onWaitBegan();
        Site site = ledger.active().get(0).site();
        ledger.hooks().onWaitEnded(began, null);
        return site;
    }

    private static Ledger ledger(boolean monitorsPin, long stackThresholdNanos) {
        return new Ledger(
                monitorsPin, stackThresholdNanos, new FramesOfInterest(64), 10, Buckets.SINGLE);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
