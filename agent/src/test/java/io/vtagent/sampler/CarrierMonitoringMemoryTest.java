package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.hotspot.HotSpot;
import io.vtagent.ledger.Ledger;
import io.vtagent.memory.FailingAllocations;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.SampledPinListener;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.usage.StackBudget;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Sampled pins are counted once even if the memory is exhausted for a moment. */
class CarrierMonitoringMemoryTest {
    private static final long SECOND = 1_000_000_000;
    private static final FramesOfInterest FRAMES = new FramesOfInterest(8);

    @Test
    void whereverTheMemoryEndsPinsThatNoEventReportsCountOnce() throws Exception {
        assertThat(FailingAllocations.everywhereIn(Unconfirmed.class)).isGreaterThan(10);
        assertThat(FailingAllocations.everywhereIn(UnconfirmedAtTheEnd.class)).isGreaterThan(10);
    }

    static class Unconfirmed implements FailingAllocations.Scenario {
        private final Ledger ledger = new Ledger(true, Long.MAX_VALUE, FRAMES, 10, Buckets.SINGLE);
        final JfrReconciler pins = new JfrReconciler(ledger);

        Unconfirmed() {
            for (int i = 0; i < 3; i++) {
                pins.add(
                        SampledPin.firstSample(
                                Thread.currentThread(),
                                Thread.ofVirtual().unstarted(() -> {}),
                                false,
                                1,
                                DurationEstimate.firstSample(1_000),
                                null,
                                BlockingState.UNKNOWN),
                        i);
            }
        }

        @Override
        public void step() {
            pins.settle(2 * SECOND, false);
        }

        @Override
        public String wrong() {
            long count = ledger.totals().count();
            return count == 3 ? "" : "of 3 pins " + count + " are counted";
        }
    }

    static final class UnconfirmedAtTheEnd extends Unconfirmed {
        @Override
        public void step() {
            pins.settleAll();
        }
    }

    @Test
    void whereverTheMemoryEndsSampledPinsDoNotCountTwice() throws Exception {
        assertThat(FailingAllocations.everywhereIn(RepeatedSamples.class)).isGreaterThan(20);
    }

    /**
     * The sampling interval is 10 ns. The thread is held all the time, and its first sample counts
     * for 4 ns.
     */
    static final class RepeatedSamples implements FailingAllocations.Scenario {
        private static final Thread CARRIER = new Thread(() -> {});

        private final Ledger ledger = new Ledger(true, 0, FRAMES, 10, Buckets.SINGLE);
        private final CountDownLatch end = new CountDownLatch(1);
        private final Thread held = Thread.ofPlatform().daemon().start(this::hold);
        private final SampledPins pins;
        private long nowNanos;
        private long lastNanos;

        RepeatedSamples() throws ReflectiveOperationException {
            ledger.sampledPinListener(new AnyPin());
            pins =
                    new SampledPins(
                            ledger, null, new JfrReconciler(ledger), new StackBudget(() -> 0));
            while (held.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }

        private void hold() {
            try {
                end.await();
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        @Override
        public void step() {
            for (int i = 0; i < 3; i++) {
                sample(true);
            }
        }

        private void sample(boolean isHeld) {
            nowNanos += 10;
            try {
                pins.begin(
                        nowNanos - lastNanos, DurationEstimate.firstSample(4), false, 0, 0, false);
                if (isHeld) {
                    pins.add(
                            new CarrierSample(
                                    CARRIER,
                                    held,
                                    false,
                                    () -> 1,
                                    () -> true,
                                    () -> HotSpot.Moment.UNKNOWN,
                                    () -> false,
                                    () -> true,
                                    () -> null));
                }
                pins.end(nowNanos, false);
            } finally {
                if (pins.isNewestSample(nowNanos)) {
                    lastNanos = nowNanos;
                }
            }
        }

        @Override
        public String wrong() {
            long heldNanos = nowNanos - 10 + 4;
            sample(false);
            end.countDown();
            long nanos = ledger.totals().nanos();
            // a first sample that failed does not count
            boolean right = nanos <= heldNanos && nanos >= heldNanos - 10;
            return right ? "" : "of %d ns %d are counted".formatted(heldNanos, nanos);
        }
    }

    private static final class AnyPin implements SampledPinListener {
        @Override
        public long minNanos() {
            return 0;
        }

        @Override
        public Object contextOf(Thread thread) {
            return thread;
        }

        @Override
        public void seen(PinInContext pin) {}
    }

    @Test
    void whereverTheMemoryEndsAStarvationIsOverWhenItIs() throws Exception {
        assertThat(FailingAllocations.everywhereIn(StarvationThatEnds.class)).isGreaterThan(3);
    }

    static final class StarvationThatEnds implements FailingAllocations.Scenario {
        private final Starvation starvation;
        private final CarrierPool pool;

        StarvationThatEnds() {
            try (HeldCarriers all = new HeldCarriers()) {
                pool = all.pool();
                starvation = new Starvation(pool, SECOND, 8, () -> false);
                int carriers = all.carriers().size();
                starvation.sample(0, 0, 0, all.carriers(), carriers, 0, List::of);
                starvation.sample(SECOND, SECOND, SECOND, all.carriers(), carriers, 0, List::of);
            }
        }

        @Override
        public void step() {
            starvation.sample(
                    3 * SECOND,
                    2 * SECOND,
                    2 * SECOND,
                    pool.carriers(),
                    0,
                    pool.carriers().size(),
                    List::of);
        }

        @Override
        public String wrong() {
            boolean right =
                    starvation.current() == null
                            && starvation.past().size() == 1
                            && starvation.nanos() == SECOND
                            && starvation.periods() == 1;
            return right
                    ? ""
                    : "now %s, %d times before, for %d ns"
                            .formatted(
                                    starvation.current(),
                                    starvation.past().size(),
                                    starvation.nanos());
        }
    }
}
