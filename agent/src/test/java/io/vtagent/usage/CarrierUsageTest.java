package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Samples, 10 ns apart, of a scheduler both of whose carriers are at work. */
class CarrierUsageTest {
    private static final long FOREVER = Long.MAX_VALUE;

    private final ForkJoinPool scheduler = OwnPool.of(2, 4);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Semaphore atWork = new Semaphore(0);
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(1), 10, Buckets.SINGLE);
    private volatile Thread carrier = Thread.currentThread();
    private final CarrierUsage usage;
    private long nowNanos;

    CarrierUsageTest() throws ReflectiveOperationException, InterruptedException {
        CarrierPool pool = OwnPool.seen(scheduler);
        usage = new CarrierUsage(pool, ledger, () -> 0, () -> 77);
        scheduler.execute(this::work);
        scheduler.execute(this::work);
        atWork.acquire(2);
    }

    private void work() {
        carrier = Thread.currentThread();
        atWork.release();
        try {
            over.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @AfterEach
    void end() {
        over.countDown();
        scheduler.shutdown();
    }

    @Test
    void aHeldCarrierIsLostUnlessItIsCompensatedFor() {
        sample(1, pin(true));
        assertThat(usage.count(FOREVER).lostNanos()).isZero();
        sample(1, pin(false));
        assertThat(usage.count(FOREVER).lostNanos()).isEqualTo(10);
        assertThat(usage.count(FOREVER).waitedHeldNanos()).as("nothing is queued").isZero();
    }

    /** A sample also finds carriers that stand still without a pin. */
    @Test
    void noMoreIsLostThanWasHeldAndNothingThatWasLostIsFoundAgain() {
        sample(2);
        assertThat(usage.count(15).lostNanos()).isEqualTo(15);
        assertThat(usage.count(4).lostNanos()).isEqualTo(15);
        assertThat(usage.count(FOREVER).lostNanos()).isEqualTo(20);
    }

    @Test
    void whileACarrierIsHeldThreadsWaitForItAndOtherwiseForThoseThatRun() {
        queue(3);
        sample(2, pin(false), pin(false));
        CarrierUsage.Totals held = usage.count(FOREVER);
        assertThat(held.waitedHeldNanos()).isEqualTo(30);
        assertThat(held.waitedBusyNanos()).isZero();
        assertThat(ledger.waitedUnattributedNanos(PinKind.PARK)).isEqualTo(30);

        sample(0);
        assertThat(usage.count(FOREVER).waitedHeldNanos()).isEqualTo(30);
        assertThat(usage.count(FOREVER).waitedBusyNanos()).isEqualTo(30);
        assertThat(ledger.waitedUnattributedNanos(PinKind.PARK)).isEqualTo(30);
    }

    @Test
    void ofTwoCarriersOneIsTheCauseOfHalfOfTheWait() {
        queue(4);
        sample(1, pin(false));
        CarrierUsage.Totals figures = usage.count(FOREVER);
        assertThat(figures.waitedHeldNanos()).isEqualTo(20);
        assertThat(figures.waitedBusyNanos()).isEqualTo(20);
    }

    @Test
    void theTimeOfAHeldThreadInTheRunQueueCountsOnce() {
        nowNanos = System.nanoTime() - 1_000;
        usage.sample(nowNanos, 10, 10, List.of(carrier), 1, 1, 0, List.of(), List::of);
        CarrierUsage.Totals figures = usage.count(10);

        assertThat(figures.heldNanos()).isZero();
        assertThat(figures.runningNanos() + figures.runnableNanos() + figures.idleNanos())
                .isPositive();
    }

    @Test
    void aCarrierIsLeftUnlessAllAreHeld() {
        assertThat(sample(1)).isTrue();
        assertThat(sample(2)).isFalse();
    }

    @Test
    void theNewestFiguresAreThoseOfTheNewestCount() {
        assertThat(usage.newest()).isEqualTo(CarrierUsage.Totals.NONE);
        CarrierUsage.Totals counted = usage.count(5);
        assertThat(usage.newest()).isEqualTo(counted);
        assertThat(counted.pausedNanos()).isEqualTo(77);
    }

    private void queue(int tasks) {
        for (int i = 0; i < tasks; i++) {
            scheduler.execute(() -> {});
        }
    }

    private boolean sample(int held, ActivePin... pins) {
        nowNanos += 10;
        return usage.sample(
                nowNanos, 10, 10, List.of(), held, 0, 0, List.of(pins), () -> List.of(pins));
    }

    private ActivePin pin(boolean compensated) {
        return ActivePins.of(
                PinKind.PARK, PinReason.MONITOR, 1, carrier, carrier, compensated, null, null);
    }
}
