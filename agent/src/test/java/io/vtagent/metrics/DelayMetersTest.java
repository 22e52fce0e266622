package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.jvm.OwnPool;
import io.vtagent.pin.Buckets;
import io.vtagent.usage.DelayProbe;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DelayMetersTest {
    @Test
    void theTimerHoldsWhatTheProbeFound() throws ReflectiveOperationException {
        DelayProbe probe =
                new DelayProbe(
                        OwnPool.seen(OwnPool.of(1, 1)), new CarrierStartSignal(), 1, Buckets.FINE);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        probe.delays().add(400_000_000);
        new DelayMeters(probe, false).bindTo(registry);
        probe.delays().add(1_000_000);
        probe.delays().totals();

        Timer timer = registry.get(DelayMeters.DELAY).timer();
        assertThat(timer.count()).isEqualTo(2);
        assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(401);
        assertThat(timer.max(TimeUnit.MILLISECONDS)).isEqualTo(400);
        assertThat(registry.get(DelayMeters.CURRENT).gauge().value()).isZero();
    }
}
