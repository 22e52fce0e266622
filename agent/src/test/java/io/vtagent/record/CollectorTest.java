package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CollectorTest {
    private static final PinKey PARK = new PinKey(PinKind.PARK, PinReason.MONITOR, false);

    private static final Tallies OUTSIDE = new Tallies(Buckets.SINGLE);
    private final Collector collector = new Collector(Buckets.FINE);
    private final List<CarrierSlot> slots = new ArrayList<>();

    @Test
    void pinsOfCarriersThatHaveEndedStayInTheTotals() throws InterruptedException {
        Thread carrier = new Thread(() -> {});
        CarrierSlot slot = slot(carrier);
        carrier.start();
        pin(slot, 7_000);
        carrier.join();

        PinTotals before = park();
        PinTotals after = park();

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
        List<PinTotals> published = new ArrayList<>();
        CarrierSlot slot = slot(Thread.currentThread());
        pin(slot, 9_000);
        collector.collect(slots, OUTSIDE); // before there is a sink
        collector.publishTo((key, since) -> published.add(since));
        pin(slot, 1_000);
        collector.collect(slots, OUTSIDE);
        collector.collect(slots, OUTSIDE);
        pin(slot, 2_000);
        collector.collect(slots, OUTSIDE);

        assertThat(published).extracting(PinTotals::count).containsExactly(2L, 1L);
        assertThat(published).extracting(PinTotals::nanos).containsExactly(10_000L, 2_000L);
        assertThat(published).extracting(PinTotals::longestNanos).containsExactly(9_000L, 2_000L);
        assertThat(park().longestNanos()).isEqualTo(9_000);
    }

    @Test
    void carriersAddUp() {
        pin(slot(Thread.currentThread()), 1_000);
        pin(slot(Thread.currentThread()), 2_000);

        assertThat(park().count()).isEqualTo(2);
        assertThat(park().nanos()).isEqualTo(3_000);
        assertThat(collector.collect(slots, OUTSIDE).nanos()).isEqualTo(3_000);
    }

    private CarrierSlot slot(Thread carrier) {
        CarrierSlot slot = new CarrierSlot(carrier, Buckets.FINE);
        slots.add(slot);
        return slot;
    }

    private PinTotals park() {
        return Objects.requireNonNull(collector.collect(slots, OUTSIDE).byKey().get(PARK));
    }

    private static void pin(CarrierSlot slot, long nanos) {
        slot.begin(Thread.currentThread(), PinKind.PARK, PinReason.MONITOR, null, null);
        slot.end(Thread.currentThread());
        slot.record(nanos, PinReason.MONITOR, null);
    }
}
