package io.vtagent.relief;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hook.CarrierCompensator;
import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.SiteWithDuration;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests with the scheduler of this JVM. Each test ends what it has begun, so that the next one
 * finds the scheduler unchanged.
 */
class ReliefTest {
    private static final long LATE = Relief.LATE_NANOS;
    private static final long NOW = 1_000_000_000_000L;
    private static final Thread CARRIER = new Thread(() -> {});
    private static final Thread OTHER_CARRIER = new Thread(() -> {});
    private static final Thread THREAD = Thread.ofVirtual().unstarted(() -> {});

    private final CarrierPool pool;
    private final Relief relief;
    private final List<Long> begun = new ArrayList<>();

    ReliefTest() throws ReflectiveOperationException {
        pool = CarrierPool.ofThisJvm();
        relief = new Relief(pool, 2);
    }

    @BeforeEach
    void someCarriersExist() throws InterruptedException {
        Carriers.make(pool);
    }

    @AfterEach
    void end() {
        begun.forEach(each -> relief.end(each, 1));
        relief.sample(NOW, List.of(), List.of());
    }

    @Test
    void withoutAWatchNothingIsCompensated() {
        assertThat(relief.begin(site())).isZero();
    }

    @Test
    void aPinThatUsuallyLastsIsCompensatedAndCountedWhenItHasEnded() {
        sample(List.of());
        long answer = relief.begin(site());
        assertThat(answer).isPositive();
        assertThat(relief.pins()).isZero();
        relief.end(answer, 700);
        assertThat(relief.pins()).isEqualTo(1);
        assertThat(relief.nanos()).isEqualTo(700);
    }

    @Test
    void theNumberOfCompensationsIsLimitedAndTheEndOfOneMakesRoom() {
        sample(List.of());
        int most = 2 + pool.parallelism() - pool.minRunnable();
        for (int i = 0; i < most; i++) {
            begin();
        }
        assertThat(begun).allSatisfy(each -> assertThat(each).isPositive());
        assertThat(relief.begin(site())).as("one too many").isEqualTo(-1);
        relief.end(-1, 5);
        assertThat(relief.pins()).as("nothing was compensated for").isZero();

        relief.end(begun.removeFirst(), 5);
        begin();
        assertThat(begun.getLast()).isPositive();
    }

    @Test
    void whatHasLastedIsCompensatedUntilItIsSeenToHaveEnded() {
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        sample(List.of(pin(PinKind.PARK, LATE + 5, false)));
        assertThat(relief.pins()).isZero();
        sample(List.of());
        assertThat(relief.pins()).isEqualTo(1);
        sample(List.of());
        assertThat(relief.pins()).isEqualTo(1);
    }

    @Test
    void aThreadThatIsHeldAgainIsCompensatedAgain() {
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        sample(List.of());
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        assertThat(relief.compensatedCarriers()).isEqualTo(1);
        sample(List.of());
        assertThat(relief.compensatedCarriers()).isZero();
        assertThat(relief.pins()).isEqualTo(2);
    }

    @Test
    void itIsCompensatedNoLongerThanItLasts() {
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        relief.sample(System.nanoTime(), List.of(), List.of());
        assertThat(relief.pins()).isEqualTo(1);
    }

    @Test
    void aThreadThatGoesOnEndsWhatWasBegunForIt() throws InterruptedException {
        Thread late =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    relief.end(0, LATE - 1);
                                    begun.add(relief.pins());
                                    relief.end(0, LATE);
                                });
        long beganNanos = System.nanoTime() - 5_000;
        relief.sample(beganNanos, List.of(pinOf(late)), List.of());
        late.start();
        late.join();
        assertThat(begun.removeFirst()).as("a pin that was short is another").isZero();
        assertThat(relief.pins()).isEqualTo(1);
        assertThat(relief.nanos()).isBetween(5_000L, System.nanoTime() - beganNanos);
        relief.end(0, LATE);
        sample(List.of());
        assertThat(relief.pins()).as("and only once").isEqualTo(1);
    }

    @Test
    void aPinThatIsYoungOrCompensatedByTheSchedulerIsLeftAlone() {
        sample(List.of(pin(PinKind.PARK, LATE - 1, false)));
        sample(List.of(pin(PinKind.WAIT, LATE, true)));
        sample(List.of(pin(PinKind.IO, LATE, false)));
        sample(List.of());
        assertThat(relief.pins()).isZero();
    }

    @Test
    void whatNoSensorNoticesIsCompensatedToo() {
        relief.sample(NOW, List.of(), List.of(pin(PinKind.NATIVE, LATE, false)));
        sample(List.of());
        assertThat(relief.pins()).isEqualTo(1);
    }

    @Test
    void aSampledPinIsCompensatedNoMoreThanWasSampled() {
        List<ActivePin> seen = List.of(pin(PinKind.NATIVE, LATE, false));
        relief.sample(NOW, List.of(), seen);
        relief.sample(NOW + 3_000_000, List.of(), seen);
        relief.sample(NOW + 90_000_000, List.of(), List.of());
        assertThat(relief.nanos()).isEqualTo(3_000_000);
    }

    @Test
    void aThreadThatIsHeldOnAnotherCarrierHasEndedWhatItDidBefore() {
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        sample(
                List.of(
                        ActivePins.of(
                                PinKind.PARK,
                                PinReason.NATIVE,
                                LATE,
                                THREAD,
                                OTHER_CARRIER,
                                false,
                                null,
                                null)));
        assertThat(relief.pins()).isEqualTo(1);
    }

    @Test
    void aSiteWhosePinsAreUsuallyShortIsLeftAlone() {
        sample(List.of());
        Site ofShortPins = SiteWithDuration.of(Relief.WORTH_NANOS - 1);
        assertThat(relief.wants(ofShortPins)).isFalse();
        assertThat(relief.begin(ofShortPins)).isZero();
        begun.add(relief.begin(SiteWithDuration.of(Relief.WORTH_NANOS)));
        assertThat(begun.getFirst()).isPositive();
    }

    /** It is like a thread that lost its CPU when it was to enter a monitor that was free. */
    @Test
    void whatWasCompensatedAndTurnsOutToBeNoPinIsGivenBackAndNotCounted()
            throws InterruptedException {
        sample(List.of());
        long answer = relief.begin(site());
        assertThat(relief.compensatedCarriers()).isEqualTo(1);
        relief.end(answer, CarrierCompensator.UNTIMED);
        assertThat(relief.compensatedCarriers()).isZero();

        Thread late =
                Thread.ofVirtual()
                        .unstarted(
                                () ->
                                        relief.end(
                                                CarrierCompensator.NOTHING,
                                                CarrierCompensator.UNTIMED));
        sample(List.of(pinOf(late)));
        assertThat(relief.compensatedCarriers()).isEqualTo(1);
        late.start();
        late.join();
        assertThat(relief.compensatedCarriers()).isZero();
        sample(List.of());
        assertThat(relief.pins()).isZero();
        assertThat(relief.nanos()).isZero();
    }

    @Test
    void whatASampleCouldNotSeeEndIsLetGoWhenTheSamplerFails() {
        sample(List.of(pin(PinKind.PARK, LATE, false)));
        relief.lost();
        assertThat(relief.pins()).isEqualTo(1);
        assertThat(relief.begin(site())).as("nobody looks any more").isZero();
        sample(List.of());
        assertThat(relief.pins()).isEqualTo(1);
    }

    private void begin() {
        begun.add(relief.begin(site()));
    }

    private void sample(List<ActivePin> noticed) {
        relief.sample(NOW, noticed, List.of());
    }

    private static ActivePin pin(PinKind kind, long ageNanos, boolean compensated) {
        return ActivePins.of(
                kind, PinReason.NATIVE, ageNanos, THREAD, CARRIER, compensated, null, null);
    }

    private static ActivePin pinOf(Thread thread) {
        return ActivePins.of(
                PinKind.PARK, PinReason.NATIVE, LATE, thread, CARRIER, false, null, null);
    }

    private static Site site() {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        PinnedStack stack =
                new PinnedStack(
                        List.of(),
                        0,
                        "A.a:1",
                        PinnedStack.Cause.NONE,
                        null,
                        "",
                        null,
                        null,
                        Map.of());
        ledger.add(PinKind.PARK, PinReason.NATIVE, 1, () -> stack);
        return ledger.sites().get(0);
    }
}
