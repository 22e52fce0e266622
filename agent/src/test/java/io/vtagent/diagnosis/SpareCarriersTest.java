package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import io.vtagent.ledger.ActivePins;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.scheduler.CarrierPool;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpareCarriersTest {
    private static final ActivePin PARK = pin(PinKind.PARK, true);
    private static final ActivePin IO = pin(PinKind.IO, true);
    private static final ActivePin NOT_COMPENSATED = pin(PinKind.WAIT, false);

    /** None of its carriers is at work. */
    private final ForkJoinPool scheduler = OwnPool.of(1, 8);

    private final CarrierPool pool = OwnPool.seen(scheduler);

    SpareCarriersTest() throws ReflectiveOperationException {}

    @AfterEach
    void end() {
        scheduler.shutdown();
    }

    @Test
    void thePinsThatWereCompensatedForAreCounted() {
        assertThat(SpareCarriers.ended(pool, List.of(PARK, NOT_COMPENSATED, IO, PARK)))
                .isEqualTo(
                        " The scheduler had compensated for 3 of them (`io`, `park`), but its spare"
                                + " carriers have ended because they had no work for 30 s, and it"
                                + " adds none while these are held.");
    }

    @Test
    void whereNothingWasCompensatedForNothingHasEnded() {
        assertThat(SpareCarriers.ended(pool, List.of(NOT_COMPENSATED))).isEmpty();
    }

    @Test
    void whileACarrierIsAtWorkNothingHasEnded() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread spinning =
                OwnPool.unstarted(
                        scheduler,
                        () -> {
                            begun.countDown();
                            while (end.getCount() > 0) {
                                Thread.onSpinWait();
                            }
                        });
        spinning.start();
        begun.await();

        assertThat(SpareCarriers.ended(pool, List.of(PARK))).isEmpty();
        end.countDown();
        spinning.join();
    }

    @Test
    void wherePoolHasNoRoomItIsNotForLackOfWork() throws ReflectiveOperationException {
        System.setProperty(CarrierPool.MAX_POOL_SIZE, "0");
        try {
            assertThat(SpareCarriers.ended(OwnPool.seen(scheduler), List.of(PARK))).isEmpty();
        } finally {
            System.clearProperty(CarrierPool.MAX_POOL_SIZE);
        }
    }

    private static ActivePin pin(PinKind kind, boolean compensated) {
        Thread any = Thread.currentThread();
        return ActivePins.of(kind, PinReason.MONITOR, 1, any, any, compensated, null, null);
    }
}
