package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JVM ends, or the agent is detached, while a sample hangs. */
@Timeout(60)
class EndedMonitoringTest {
    private static final FramesOfInterest FRAMES = new FramesOfInterest(8);

    private final CountDownLatch sampling = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** Hangs in the sample. */
    private final class Hanging implements CarrierMonitoring.Listener {
        @Override
        public long onSampled(
                long nowNanos,
                Collection<ActivePin> reportedByHooks,
                Collection<ActivePin> sampled) {
            sampling.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
            return Long.MAX_VALUE;
        }

        @Override
        public void onSamplerDown() {}
    }

    @Test
    void theEndWaitsForTheSampleNoLongerThanItsLimit() throws InterruptedException {
        Ledger ledger = new Ledger(true, Long.MAX_VALUE, FRAMES, 10, Buckets.SINGLE);
        CarrierMonitoring.Settings settings =
                new CarrierMonitoring.Settings(
                        false, false, 1_000_000, Long.MAX_VALUE, 10_000_000, 10, () -> false);
        CarrierMonitoring watch =
                Objects.requireNonNull(
                        CarrierMonitoring.of(
                                CarrierPool.find(),
                                ledger,
                                new Sensors(),
                                settings,
                                className -> false));
        watch.setListener(new Hanging());
        Thread.startVirtualThread(() -> {}).join();
        watch.start();
        sampling.await();

        Thread ending = Thread.ofPlatform().daemon().start(watch::awaitShutdown);
        boolean ended = ending.join(Duration.ofNanos(5 * CarrierSampler.MAX_FINISH_NANOS));
        mayGoOn.countDown();

        assertThat(ended).isTrue();
    }
}
