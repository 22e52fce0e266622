package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.kernel.LastRuns.LastRun;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.SampledPinListener;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.Snapshot;
import io.vtagent.usage.StackBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples are 10 ms apart. A pin that lasts for 20 ms is wanted, so two samples are needed. */
class PinsInContextTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final long MILLI = 1_000_000;
    private static final long INTERVAL = 10 * MILLI;
    private static final Thread CARRIER = new Thread(() -> {});
    private static final FramesOfInterest FRAMES = new FramesOfInterest(64);

    private final Ledger ledger = new Ledger(true, 0, FRAMES, 10, Buckets.SINGLE);
    private final SampledPins pins =
            new SampledPins(ledger, null, new JfrReconciler(ledger), new StackBudget(() -> 0));
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread held = Thread.ofPlatform().daemon().unstarted(this::hold);

    /** The context of the thread. */
    private @Nullable Object context = "first";

    private int read;
    private final List<PinInContext> seen = new ArrayList<>();
    private long nowNanos;

    private final class Listener implements SampledPinListener {
        @Override
        public long minNanos() {
            return 2 * INTERVAL;
        }

        @Override
        public @Nullable Object contextOf(Thread thread) {
            assertThat(thread).isSameAs(held);
            read++;
            return context;
        }

        @Override
        public void seen(PinInContext pin) {
            seen.add(pin);
        }
    }

    private void hold() {
        try {
            end.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @BeforeEach
    void start() {
        ledger.sampledPinListener(new Listener());
        held.start();
        while (held.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        // no stack is read for a second after another test has redefined a class
        await().atMost(LIMIT).until(() -> !Snapshot.of(held).frames().isEmpty());
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        held.join();
    }

    @Test
    void aPinIsSeenWithItsContextBeforeItEndsAndItsDurationGrows() {
        sample(PinKind.NATIVE, 1);
        assertThat(read).isZero(); // too short so far
        sample(PinKind.NATIVE, 1);
        assertThat(only().context()).isEqualTo("first");
        EndedPin early = Objects.requireNonNull(only().pin());
        assertThat(early.kind()).isEqualTo(PinKind.NATIVE);
        assertThat(early.nanos()).isEqualTo(2 * INTERVAL);
        assertThat(early.endedAtNanos()).isEqualTo(nowNanos);
        assertThat(early.threadId()).isEqualTo(held.threadId());
        assertThat(early.thread()).isNull();
        assertThat(early.siteKey().caller()).startsWith(PinsInContextTest.class.getName());

        sample(PinKind.NATIVE, 1);
        EndedPin later = Objects.requireNonNull(only().pin());
        assertThat(later.nanos()).isEqualTo(3 * INTERVAL);
        assertThat(later.site()).isSameAs(early.site());

        sampleNothing();
        EndedPin ended = Objects.requireNonNull(only().pin());
        assertThat(ended.nanos()).isEqualTo(3 * INTERVAL);
        assertThat(ended.endedAtNanos()).isEqualTo(nowNanos - INTERVAL / 2);
        assertThat(read).isEqualTo(1);
    }

    @Test
    void theNextSleepIsInTheNextContext() {
        for (int sleep = 1; sleep <= 3; sleep++) {
            context = "context " + sleep;
            sample(PinKind.NATIVE, sleep);
            sample(PinKind.NATIVE, sleep);
        }
        sampleNothing();

        assertThat(seen)
                .extracting(PinInContext::context)
                .containsExactly("context 1", "context 2", "context 3");
        assertThat(seen).allSatisfy(pin -> assertThat(pin.pin()).isNotNull());
    }

    @Test
    void aContextThatIsReadTooLateIsNotThatOfThePin() {
        sample(PinKind.NATIVE, 1);
        sample(PinKind.NATIVE, 1, false);
        assertThat(read).isEqualTo(1);
        sampleNothing();
        assertThat(seen).isEmpty();
    }

    /** The sampler takes the waits of a thread for a monitor at one place for a single one. */
    @Test
    void aThreadThatWaitsForAMonitorMustHaveTheSameContextInEverySample() {
        sample(PinKind.ENTER, 1);
        sample(PinKind.ENTER, 2);
        assertThat(only().pin()).isNotNull();

        context = "second";
        sample(PinKind.ENTER, 3);
        assertThat(only().pin()).isNull();
        context = "first";
        sample(PinKind.ENTER, 4);
        sampleNothing();
        assertThat(only().pin()).isNull();
    }

    @Test
    void aWaitForAMonitorThatBeganInAnotherContextIsInNone() {
        sample(PinKind.ENTER, 1);
        context = "second";
        for (int sleep = 2; sleep < 5; sleep++) {
            sample(PinKind.ENTER, sleep);
        }
        sampleNothing();
        assertThat(seen).isEmpty();
    }

    @Test
    void aWaitForAMonitorThatWasNotCertainInOneSampleIsInNone() {
        sample(PinKind.ENTER, 1);
        sample(PinKind.ENTER, 2, false);
        sample(PinKind.ENTER, 3);
        sampleNothing();
        assertThat(seen).isEmpty();
    }

    @Test
    void aPinOutsideOfAnyContextIsNotSeen() {
        context = null;
        sample(PinKind.NATIVE, 1);
        sample(PinKind.NATIVE, 1);
        sampleNothing();
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSingleSampleDoesNotStandForOtherPins(boolean isWanted) {
        long before = isWanted ? 40 * MILLI : 20 * MILLI; // half of it is before the sample
        nowNanos += before;
        pins.begin(before, DurationEstimate.firstSample(before, before, MILLI), false, 0, 0, false);
        pins.add(sampleOf(PinKind.NATIVE, 1, true));
        pins.end(nowNanos, false);

        assertThat(seen).hasSize(isWanted ? 1 : 0);
    }

    /** The kernel's times become known when the pin has been handed over. */
    @Test
    void aPinThatTurnsOutToBeShortIsShort() {
        AtomicReference<@Nullable Long> slept = new AtomicReference<>();
        AtomicReference<LastRun> lastRun = new AtomicReference<>(new LastRun(slept::get, 1, 0, 0));
        long sampledNanos = System.nanoTime();
        pins.begin(100 * MILLI, DurationEstimate.firstSample(100 * MILLI), false, 0, 0, false);
        pins.add(sampleOf(PinKind.NATIVE, 1, true, lastRun::get));
        pins.end(sampledNanos, false);
        assertThat(only().pin()).isNotNull();

        slept.set(sampledNanos - MILLI);
        lastRun.set(new LastRun(() -> sampledNanos + MILLI, 2, 0, 0));
        pins.begin(INTERVAL, DurationEstimate.firstSample(INTERVAL), false, 0, 0, false);
        pins.end(sampledNanos + INTERVAL, false);
        assertThat(Objects.requireNonNull(only().pin()).nanos()).isLessThan(2 * INTERVAL);
    }

    @Test
    void aWaitForTheGarbageCollectorIsNoPin() {
        nowNanos += 50 * MILLI;
        pins.begin(50 * MILLI, DurationEstimate.firstSample(50 * MILLI), false, 0, 0, false);
        pins.add(inJvm());
        pins.end(nowNanos, false);
        assertThat(only().pin()).isNotNull();

        nowNanos += INTERVAL;
        pins.begin(INTERVAL, DurationEstimate.firstSample(INTERVAL), false, 0, 0, true);
        pins.end(nowNanos, false);
        assertThat(ledger.totals().count()).isZero();
        assertThat(only().pin()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "ENTER"})
    void withoutAListenerNothingIsRead(PinKind kind) {
        ledger.sampledPinListener(null);
        sample(kind, 1);
        sample(kind, 1);
        sample(kind, 1);
        sampleNothing();
        assertThat(read).isZero();
        assertThat(ledger.totals().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "ENTER"})
    void warmingUpReadsNoContextAndCountsNothing(PinKind kind) {
        pins.warmUp(sampleOf(kind, 1, true));
        sampleNothing();
        assertThat(read).isZero();
        assertThat(ledger.totals().count()).isZero();
    }

    private PinInContext only() {
        assertThat(seen).hasSize(1);
        return seen.getFirst();
    }

    private void sample(PinKind kind, long sleepId) {
        sample(kind, sleepId, true);
    }

    private void sample(PinKind kind, long sleepId, boolean isStillBlocked) {
        begin();
        pins.add(sampleOf(kind, sleepId, isStillBlocked));
        pins.end(nowNanos, false);
    }

    private void sampleNothing() {
        begin();
        pins.end(nowNanos, false);
    }

    private void begin() {
        nowNanos += INTERVAL;
        pins.begin(INTERVAL, DurationEstimate.firstSample(INTERVAL), false, 0, 0, false);
    }

    private CarrierSample sampleOf(PinKind kind, long sleepId, boolean isStillBlocked) {
        return sampleOf(kind, sleepId, isStillBlocked, () -> null);
    }

    private CarrierSample sampleOf(
            PinKind kind,
            long sleepId,
            boolean isStillBlocked,
            Supplier<@Nullable LastRun> lastRun) {
        return new CarrierSample(
                CARRIER,
                held,
                kind == PinKind.ENTER,
                () -> sleepId,
                () -> isStillBlocked,
                () -> new HotSpot.Moment(HotSpot.State.NATIVE, null),
                () -> false,
                () -> true,
                lastRun);
    }

    private CarrierSample inJvm() {
        return new CarrierSample(
                CARRIER,
                held,
                false,
                () -> 1,
                () -> true,
                () -> new HotSpot.Moment(HotSpot.State.BLOCKED, null),
                () -> false,
                () -> true,
                () -> null);
    }
}
