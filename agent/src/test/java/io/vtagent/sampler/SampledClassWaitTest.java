package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.usage.StackBudget;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SampledClassWaitTest {
    private static final CountDownLatch MAY_END = new CountDownLatch(1);

    private static final class Awaited {
        static {
            while (MAY_END.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        static void initialize() {}
    }

    @Test
    void aThreadThatWaitsForAClassIsReportedWithIt() throws InterruptedException {
        FramesOfInterest wanted = new FramesOfInterest(64);
        Ledger ledger = new Ledger(true, 0, wanted, 10, Buckets.SINGLE);
        SampledPins pins =
                new SampledPins(
                        ledger, null, new JfrReconciler(ledger), new StackBudget(System::nanoTime));
        HotSpot jvm = HotSpot.ofThisJvm();
        Thread initializing = Thread.ofPlatform().start(Awaited::initialize);
        while (!jvm.isBeingInitialized(Awaited.class)) {
            Thread.onSpinWait();
        }
        Thread waiting = Thread.ofPlatform().start(Awaited::initialize);
        while (jvm.awaitedClass(waiting) == null) {
            Thread.onSpinWait();
        }
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.add(
                new CarrierSample(
                        initializing,
                        waiting,
                        false,
                        () -> 1,
                        () -> true,
                        () -> jvm.at(waiting),
                        () -> false,
                        () -> true,
                        () -> null));
        pins.end(10, false);

        assertThat(pins.active())
                .singleElement()
                .satisfies(
                        pin -> {
                            assertThat(pin.kind()).isEqualTo(PinKind.CLASS_INIT);
                            PinnedStack stack =
                                    Objects.requireNonNull(
                                            Objects.requireNonNull(pin.site()).stack());
                            assertThat(stack.monitorClass()).isEqualTo(Awaited.class.getName());
                        });
        MAY_END.countDown();
        initializing.join();
        waiting.join();
    }
}
