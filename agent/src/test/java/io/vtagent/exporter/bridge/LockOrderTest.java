package io.vtagent.exporter.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.ledger.HeldTime;
import io.vtagent.ledger.Ledger;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.metrics.AllMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Micrometer makes a meter inside of a lock of the registry's: nothing of the agent's is asked
 * there.
 */
@Timeout(60)
class LockOrderTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.SINGLE);

    /**
     * One thread registers a meter of the held time while another brings that up to date, in which
     * the first pin of a kind that has no timer yet reaches the same registry: each would wait for
     * the lock that the other one has.
     */
    @Test
    void aMeterIsRegisteredWhileAnotherThreadHandsTheRegistryAFirstPinOfItsKind()
            throws InterruptedException {
        CountDownLatch collecting = new CountDownLatch(1);
        CountDownLatch registered = new CountDownLatch(1);
        HeldTime held =
                new HeldTime(
                        () -> {
                            collecting.countDown();
                            await(registered); // or, before that, the meter asks for its value
                            return ledger.totals();
                        },
                        List::of);
        AgentMeterBinder late =
                new AgentMeterBinder() {
                    @Override
                    public void bindTo(MeterRegistry registry) {
                        Thread refreshing = Thread.ofPlatform().daemon().start(held::refresh);
                        await(collecting);
                        FunctionCounter.builder(
                                        "held",
                                        held,
                                        of -> {
                                            registered.countDown();
                                            return of.nanos(PinKind.PARK);
                                        })
                                .register(registry);
                        registered.countDown();
                        end(refreshing);
                    }
                };
        AgentMeterBinder pins = new PinMeters(ledger, List.of(), false);
        ledger.add(PinKind.ENTER, PinReason.MONITOR, 1_000, () -> null);
        Thread registering =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () ->
                                        new CachedMeterRegistry(
                                                        Map.of(),
                                                        new AllMeters(List.of(pins, late)))
                                                .close());

        assertThat(registering.join(LONG)).as("both go on").isTrue();
    }

    @Test
    void noFigureIsAskedForWhileItsMeterIsMadeAndEachHasItsValueWhenItIsToBeSeen() {
        AgentMeterBinder binder =
                registry -> {
                    boolean[] making = {true};
                    Gauge.builder("gauge", making, LockOrderTest::asked).register(registry);
                    FunctionCounter.builder("counter", making, LockOrderTest::asked)
                            .register(registry);
                    FunctionTimer.builder(
                                    "timer",
                                    making,
                                    LockOrderTest::asked,
                                    LockOrderTest::asked,
                                    TimeUnit.NANOSECONDS)
                            .register(registry);
                    making[0] = false;
                };
        CachedMeterRegistry figures = new CachedMeterRegistry(Map.of(), binder);

        assertThat(figures.all())
                .extracting(figure -> figure.applyAsDouble(figure))
                .containsExactly(7.0, 7.0, 7.0);
    }

    private static long asked(boolean[] making) {
        assertThat(making[0]).as("its meter is being made").isFalse();
        return 7;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static void end(Thread thread) {
        try {
            assertThat(thread.join(LONG)).isTrue();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
