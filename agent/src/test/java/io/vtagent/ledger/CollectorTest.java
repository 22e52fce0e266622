package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.vtagent.hook.CarrierSlot;
import io.vtagent.hook.PinHistograms;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.thread.AgentThread;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CollectorTest {
    private static final PinKey PARK = new PinKey(PinKind.PARK, PinReason.MONITOR, false);

    private static final PinHistograms OUTSIDE = new PinHistograms(Buckets.SINGLE);
    private final Collector collector = new Collector(Buckets.FINE);
    private final List<CarrierSlot> slots = new ArrayList<>();

    @Test
    void pinsOfCarriersThatHaveEndedStayInTheTotals() throws InterruptedException {
        Thread carrier = new Thread(() -> {});
        CarrierSlot slot = slot(carrier);
        carrier.start();
        pin(slot, 7_000);
        carrier.join();

        DurationTotals before = park();
        DurationTotals after = park();

        assertThat(slots).isEmpty();
        assertThat(before.count()).isEqualTo(after.count()).isEqualTo(1);
        assertThat(before.nanos()).isEqualTo(after.nanos()).isEqualTo(7_000);
        assertThat(after.longestNanos()).isEqualTo(7_000);
        assertThat(collector.collect(slots, OUTSIDE).unattributed(PinKind.PARK).nanos())
                .isEqualTo(7_000);
        assertThat(collector.collect(slots, OUTSIDE).unattributed(PinKind.PARK).longestNanos())
                .isEqualTo(7_000);
    }

    @Test
    void everyPinReachesTheSinkOnceWithTheLongestOfItsInterval() {
        List<DurationTotals> published = new ArrayList<>();
        CarrierSlot slot = slot(Thread.currentThread());
        pin(slot, 9_000);
        collector.collect(slots, OUTSIDE); // before there is a sink
        collector.publishTo((key, since) -> published.add(since));
        pin(slot, 1_000);
        collector.collect(slots, OUTSIDE);
        collector.collect(slots, OUTSIDE);
        pin(slot, 2_000);
        collector.collect(slots, OUTSIDE);

        assertThat(published).extracting(DurationTotals::count).containsExactly(2L, 1L);
        assertThat(published).extracting(DurationTotals::nanos).containsExactly(10_000L, 2_000L);
        assertThat(published)
                .extracting(DurationTotals::longestNanos)
                .containsExactly(9_000L, 2_000L);
        assertThat(park().longestNanos()).isEqualTo(9_000);
    }

    @Test
    void aSinkThatLeavesGetsNoMoreAndEverythingWhenItComesBack() {
        List<Long> published = new ArrayList<>();
        PinSink sink = (key, since) -> published.add(since.nanos());
        CarrierSlot slot = slot(Thread.currentThread());
        collector.publishTo(sink);
        pin(slot, 1_000);
        collector.collect(slots, OUTSIDE);
        collector.publishNoMore(sink);
        pin(slot, 2_000);
        collector.collect(slots, OUTSIDE);
        assertThat(published).containsExactly(1_000L);

        collector.publishTo(sink);
        collector.collect(slots, OUTSIDE);
        assertThat(published).containsExactly(1_000L, 3_000L);
    }

    @Test
    void itIsEmptyUntilAPinHasEndedWhoeverFoundIt() throws InterruptedException {
        CarrierSlot here = slot(Thread.currentThread());
        assertThat(collector.isEmpty(slots, OUTSIDE)).isTrue();
        pin(here, 1_000);
        assertThat(collector.isEmpty(slots, OUTSIDE)).isFalse();

        PinHistograms outside = new PinHistograms(Buckets.FINE);
        assertThat(collector.isEmpty(List.of(), outside)).isTrue();
        outside.add(1_000, PinKind.PARK, PinReason.MONITOR, false, null);
        assertThat(collector.isEmpty(List.of(), outside)).isFalse();

        Thread ended = new Thread(() -> {});
        pin(slot(ended), 1_000);
        ended.start();
        ended.join();
        collector.collect(slots, OUTSIDE);
        assertThat(collector.isEmpty(List.of(), OUTSIDE)).as("of a carrier that ended").isFalse();
    }

    @Test
    void aReaderOfASinkWaitsUntilItHasAllThatWasCollected() throws InterruptedException {
        CountDownLatch handing = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicLong handed = new AtomicLong();
        PinSink sink =
                (key, since) -> {
                    handing.countDown();
                    awaitUninterruptibly(goesOn);
                    handed.addAndGet(since.count());
                };
        CarrierSlot slot = slot(Thread.currentThread());
        collector.publishTo(sink);
        pin(slot, 1_000);
        Thread another = Thread.ofPlatform().start(() -> collector.collect(slots, OUTSIDE));
        handing.await();
        pin(slot, 1_000);
        collector.collect(slots, OUTSIDE);
        assertThat(handed).hasValue(0);
        goesOn.countDown();
        collector.awaitPublished(sink);

        assertThat(handed).hasValue(2);
        another.join();
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @Test
    void carriersAddUp() {
        pin(slot(Thread.currentThread()), 1_000);
        pin(slot(Thread.currentThread()), 2_000);

        assertThat(park().count()).isEqualTo(2);
        assertThat(park().nanos()).isEqualTo(3_000);
        assertThat(collector.collect(slots, OUTSIDE).nanos()).isEqualTo(3_000);
    }

    @Test
    void sampledPinsAddToThoseOfTheCarriers() {
        PinHistograms outside = new PinHistograms(Buckets.FINE);
        pin(slot(Thread.currentThread()), 1_000);
        outside.add(4_000, PinKind.PARK, PinReason.MONITOR, false, null);

        EndedPins totals = collector.collect(slots, outside);

        assertThat(totals.count()).isEqualTo(2);
        assertThat(totals.nanos()).isEqualTo(5_000);
        assertThat(totals.unattributed(PinKind.PARK).count()).isEqualTo(2);
        assertThat(totals.unattributed(PinKind.PARK).longestNanos()).isEqualTo(4_000);
        assertThat(totals.unattributed(PinKind.WAIT).count()).isZero();
        assertThat(totals.byKey().keySet()).containsExactly(PARK);
    }

    @Test
    void pinsAreDistinguishedByTheirDuration() {
        CarrierSlot slot = slot(Thread.currentThread());
        pin(slot, 1_000);
        pin(slot, 5_000_000);
        DurationTotals park = park();
        int little = Buckets.FINE.of(1_000);
        int much = Buckets.FINE.of(5_000_000);

        assertThat(park.buckets()).isEqualTo(Buckets.FINE.count());
        assertThat(park.count(little)).isEqualTo(park.count(much)).isEqualTo(1);
        assertThat(park.nanos(little)).isEqualTo(1_000);
        assertThat(park.nanos(much)).isEqualTo(5_000_000);
    }

    /** It is done once a second for as long as the JVM runs. */
    @Test
    void whatWasNeverHeldTakesNoMemoryToSumUp() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        pin(slot(Thread.currentThread()), 1_000);
        collector.collect(slots, OUTSIDE);

        long before = threads.getCurrentThreadAllocatedBytes();
        collector.collect(slots, OUTSIDE);
        long ofAllKeys = (long) PinKey.COUNT * Buckets.FINE.count() * Long.BYTES;
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(ofAllKeys / 2);
    }

    @Test
    void pinsThatSeveralSumUpAtATimeReachTheSinkOnce() {
        int times = 5_000;
        AtomicLong published = new AtomicLong();
        collector.publishTo((key, since) -> published.addAndGet(since.count()));
        CarrierSlot slot = slot(Thread.currentThread());
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            others.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            collector.collect(slots, OUTSIDE);
                                        }
                                    }));
        }

        for (int i = 0; i < times; i++) {
            pin(slot, 1_000);
            collector.collect(slots, OUTSIDE);
        }
        over.set(true);
        others.forEach(other -> AgentThread.join(other, Long.MAX_VALUE));

        assertThat(published).hasValue(times);
    }

    private CarrierSlot slot(Thread carrier) {
        CarrierSlot slot = new CarrierSlot(carrier, Buckets.FINE, true);
        slots.add(slot);
        return slot;
    }

    private DurationTotals park() {
        return Objects.requireNonNull(collector.collect(slots, OUTSIDE).byKey().get(PARK));
    }

    private static void pin(CarrierSlot slot, long nanos) {
        slot.begin(Thread.currentThread(), PinKind.PARK, PinReason.MONITOR, null, null);
        slot.end(Thread.currentThread(), true);
        slot.record(nanos, PinReason.MONITOR, null);
    }
}
