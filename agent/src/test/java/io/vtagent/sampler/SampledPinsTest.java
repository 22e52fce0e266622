package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.kernel.LastRuns.LastRun;
import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.ledger.VmPinRecorder;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.usage.StackBudget;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.MethodCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sampling interval is 10 ns, and the first sample counts for 4 ns. */
class SampledPinsTest {
    private static final long MILLI = 1_000_000;
    private static final Thread CARRIER = new Thread(() -> {});

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread held = new Thread(this::hold);
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final JfrReconciler reconciler = new JfrReconciler(ledger);
    private final SampledPins pins = pins(null);

    private static HotSpot.Moment inNativeCode() {
        return new HotSpot.Moment(HotSpot.State.NATIVE, null);
    }

    private static HotSpot.Moment inJvm() {
        return new HotSpot.Moment(HotSpot.State.BLOCKED, null);
    }

    private SampledPins pins(@Nullable JfrSensor events) {
        return new SampledPins(ledger, events, reconciler, new StackBudget(System::nanoTime));
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
        held.start();
        while (held.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        held.join();
    }

    @Test
    void consecutiveSamplesAreOnePinFromTheFirstToTheLast() {
        sample(PinKind.NATIVE, 1, 1);
        sample(PinKind.NATIVE, 1, 1);
        assertThat(ledger.totals().count()).isZero();
        assertThat(pins.isEmpty()).isFalse();

        assertThat(pins.isNewestSample(10)).isTrue();
        sampleNothing();

        assertThat(pins.isNewestSample(10)).isFalse();
        assertThat(ledger.totals().count()).isEqualTo(1);
        assertThat(ledger.totals().nanos()).isEqualTo(14);
        assertThat(pins.isEmpty()).isTrue();
        assertThat(pins.active()).isEmpty();
    }

    /**
     * The JVM reports that a thread waits for a monitor, and periodically wakes it to check the
     * monitor.
     */
    @ParameterizedTest
    @CsvSource({"NATIVE, 2, 8", "ENTER, 1, 14"})
    void anotherSleepIsAnotherPinUnlessTheThreadWaitsForAMonitorAtTheSamePlace(
            PinKind kind, long pins, long nanos) {
        sample(kind, 1, 1);
        sample(kind, 2, 2);
        sampleNothing();

        EndedPins totals = ledger.totals();
        assertThat(totals.count()).isEqualTo(pins);
        assertThat(totals.nanos()).isEqualTo(nanos);
    }

    /** Between samples that are far apart, the kernel knows when a pin began and ended. */
    @Test
    void aPinCountsFromItsStartToItsEndThatTheKernelReports() {
        long nowNanos = System.nanoTime();
        long slept = nowNanos - 7 * MILLI;
        AtomicReference<LastRun> lastRun = new AtomicReference<>(new LastRun(() -> slept, 3, 0, 5));
        sampleAt(nowNanos, 20 * MILLI, lastRun);
        sampleAt(nowNanos + 10 * MILLI, 10 * MILLI, lastRun);

        // it has used 1 ms of CPU time since, and sleeps again
        lastRun.set(new LastRun(() -> nowNanos + 14 * MILLI, 4, 0, 5 + MILLI));
        pins.begin(10 * MILLI, DurationEstimate.firstSample(10 * MILLI), false, 0, 0, false);
        pins.end(nowNanos + 20 * MILLI, false);

        assertThat(ledger.totals().count()).isEqualTo(1);
        // the sample begins a little later than its time
        assertThat(ledger.totals().nanos())
                .isBetween(20 * MILLI, 20 * MILLI + System.nanoTime() - nowNanos);
    }

    /** The kernel is not asked after short intervals, and not when the thread has slept again. */
    @Test
    void aPinOfWhichTheKernelReportsNothingCountsHalfOfTheIntervals() {
        long nowNanos = System.nanoTime();
        AtomicReference<LastRun> lastRun =
                new AtomicReference<>(new LastRun(() -> nowNanos - MILLI, 3, 0, 5));
        sampleAt(nowNanos, 2 * MILLI, lastRun);
        sampleAt(nowNanos + 2 * MILLI, 2 * MILLI, lastRun);
        lastRun.set(new LastRun(() -> nowNanos + 18 * MILLI, 9, 0, 5));
        pins.begin(20 * MILLI, DurationEstimate.firstSample(20 * MILLI), false, 0, 0, false);
        pins.end(nowNanos + 22 * MILLI, false);

        assertThat(ledger.totals().nanos()).isEqualTo((1 + 2 + 10) * MILLI);
    }

    /** The sampler has not run on every CPU yet, so that their clocks are compared one by one. */
    @Test
    void theStartCountsWhenTheClockOfItsCpuBecomesKnown() {
        long nowNanos = System.nanoTime();
        AtomicReference<@Nullable Long> slept = new AtomicReference<>();
        AtomicReference<LastRun> lastRun = new AtomicReference<>(new LastRun(slept::get, 3, 0, 5));
        sampleAt(nowNanos, 20 * MILLI, lastRun);
        slept.set(nowNanos - 18 * MILLI);
        sampleAt(nowNanos + 20 * MILLI, 20 * MILLI, lastRun);
        slept.set(nowNanos - 2 * MILLI); // the clock has drifted since
        lastRun.set(new LastRun(() -> nowNanos + 24 * MILLI, 4, 0, 5));
        pins.begin(20 * MILLI, DurationEstimate.firstSample(20 * MILLI), false, 0, 0, false);
        pins.end(nowNanos + 40 * MILLI, false);

        // half of the first interval would be 10 ms
        assertThat(ledger.totals().nanos())
                .isBetween(42 * MILLI, 42 * MILLI + System.nanoTime() - nowNanos);
    }

    /** Whichever of the two threads runs first after a shortage of CPU time. */
    @Test
    void aPinThatEndedDoesNotCountForTimeInWhichTheProcessHadNoCpu() {
        assertThat(nanosWhereItEndsLate(SampledPinsTest::inNativeCode, 0, 6 * MILLI))
                .isBetween(14 * MILLI, 18 * MILLI);
    }

    @Test
    void aPinOfTheJvmThatEndedDoesNotCountForPauses() {
        assertThat(nanosWhereItEndsLate(SampledPinsTest::inJvm, 6 * MILLI, 0))
                .isBetween(14 * MILLI, 18 * MILLI);
    }

    /**
     * Returns the duration of a pin that began just before the first of two samples and, as the
     * kernel reports, ended 10 ms after the second, just before the third.
     */
    private long nanosWhereItEndsLate(
            Supplier<HotSpot.Moment> state, long pausedNanos, long queuedNanos) {
        long nowNanos = System.nanoTime();
        AtomicReference<LastRun> lastRun =
                new AtomicReference<>(new LastRun(() -> nowNanos, 3, 0, 5));
        sampleAt(nowNanos, 4 * MILLI, lastRun, state);
        sampleAt(nowNanos + 10 * MILLI, 10 * MILLI, lastRun, state);
        lastRun.set(new LastRun(() -> nowNanos + 20 * MILLI, 3, 0, 5));
        pins.begin(
                10 * MILLI,
                DurationEstimate.firstSample(10 * MILLI),
                false,
                pausedNanos,
                queuedNanos,
                false);
        pins.end(nowNanos + 20 * MILLI, false);
        return ledger.totals().nanos();
    }

    private void sampleAt(
            long nowNanos, long elapsedNanos, AtomicReference<@Nullable LastRun> lastRun) {
        sampleAt(nowNanos, elapsedNanos, lastRun, SampledPinsTest::inNativeCode);
    }

    private void sampleAt(
            long nowNanos,
            long elapsedNanos,
            AtomicReference<@Nullable LastRun> lastRun,
            Supplier<HotSpot.Moment> state) {
        pins.begin(elapsedNanos, DurationEstimate.firstSample(elapsedNanos), false, 0, 0, false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 1,
                        () -> true,
                        state,
                        () -> false,
                        () -> true,
                        lastRun::get));
        pins.end(nowNanos, false);
    }

    /**
     * The first of many pins counts for more than it would among others, so the next ones count for
     * less.
     */
    @Test
    void ofManyThatBeginAfterARestTheFirstDoesNotCountForAllOfIt() {
        pins.begin(
                100,
                DurationEstimate.firstSample(100, 100, 10).afterIdle(true),
                false,
                0,
                0,
                false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 0,
                        () -> true,
                        SampledPinsTest::inNativeCode,
                        () -> false,
                        () -> true,
                        () -> null));
        pins.end(100, false);
        for (int sleepId = 1; sleepId <= 20; sleepId++) {
            pins.begin(10, DurationEstimate.firstSample(10), false, 0, 0, false);
            int now = sleepId;
            pins.add(
                    new CarrierSample(
                            CARRIER,
                            held,
                            false,
                            () -> now,
                            () -> true,
                            SampledPinsTest::inNativeCode,
                            () -> false,
                            () -> true,
                            () -> null));
            pins.end(100 + 10 * sleepId, false);
        }
        sampleNothing();

        assertThat(ledger.totals().count()).isEqualTo(21);
        assertThat(ledger.totals().nanos()).isEqualTo(50 + 5 + 20 * 10);
    }

    @Test
    void anotherThreadIsAnotherPin() throws InterruptedException {
        sample(PinKind.ENTER, 1, 1);
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        Thread other = new Thread(this::hold);
        other.start();
        pins.add(
                new CarrierSample(
                        CARRIER,
                        other,
                        true,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true,
                        () -> null));
        pins.end(20, false);
        end.countDown();
        other.join();

        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void theStackOfAThreadThatWentOnMeanwhileIsNotTheOneThatHeld() {
        sample(PinKind.NATIVE, 1, 2);
        assertThat(pins.active()).extracting(ActivePin::site).containsOnlyNulls();
        sample(PinKind.NATIVE, 1, 1);
        assertThat(pins.active()).extracting(ActivePin::site).doesNotContainNull();

        sampleNothing();

        assertThat(ledger.sites())
                .singleElement()
                .satisfies(
                        site -> {
                            assertThat(site.nanos()).isEqualTo(14);
                            assertThat(site.key().caller())
                                    .startsWith(SampledPinsTest.class.getName() + ".hold:");
                        });
    }

    /** A wait for a monitor ends in a moment, and its place is not known after that. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "ENTER"})
    void theStackIsReadBeforeAnythingElseIsAsked(PinKind kind) {
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        kind == PinKind.ENTER,
                        this::sleepIdOnceAsked,
                        () -> true,
                        SampledPinsTest::inJvm,
                        this::isNoticedOnceAsked,
                        () -> true,
                        () -> null));
        pins.end(10, false);

        assertThat(held.isAlive()).isFalse();
        assertThat(pins.active())
                .singleElement()
                .satisfies(pin -> assertThat(pin.site()).isNotNull());
    }

    private long sleepIdOnceAsked() {
        letGo();
        return 1;
    }

    private boolean isNoticedOnceAsked() {
        letGo();
        return false;
    }

    private void letGo() {
        try {
            end();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** The hook reports the pin at that moment, and counts it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasTheAgentsOwnWorkIsNotCountedEitherIfItIsOver(boolean over) throws Exception {
        Method call =
                MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup())
                        .defineClass(ownClass("java.lang.VtAgentOfTest" + over))
                        .getMethod("call", Runnable.class);
        Thread working =
                new Thread(
                        () -> {
                            try {
                                call.invoke(null, (Runnable) this::hold);
                            } catch (ReflectiveOperationException impossible) {
                                throw new LinkageError("the class defined here", impossible);
                            }
                        });
        working.start();
        while (working.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        working,
                        false,
                        () -> 1,
                        () -> !over,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true,
                        () -> null));
        pins.end(10, false);
        end();
        working.join();

        assertThat(pins.active()).isEmpty();
    }

    private static byte[] ownClass(String name) throws NoSuchMethodException {
        return new ByteBuddy()
                .subclass(Object.class)
                .name(name)
                .defineMethod("call", void.class, Modifier.PUBLIC | Modifier.STATIC)
                .withParameters(Runnable.class)
                .intercept(MethodCall.invoke(Runnable.class.getMethod("run")).onArgument(0))
                .make()
                .getBytes();
    }

    @Test
    void inProgressItCountsUpToNow() {
        sample(PinKind.ENTER, 1, 1);
        assertThat(pins.sampled()).extracting(ActivePin::ageNanos).containsExactly(4L);
        assertThat(pins.active())
                .singleElement()
                .satisfies(pin -> assertThat(pin.ageNanos()).isGreaterThan(4));
    }

    /**
     * There was a safepoint before the sample. A thread that resumes after it looks like one that
     * sleeps, except to the kernel.
     */
    @Test
    void afterASafepointAThreadThatSleepsInTheKernelIsHeld() {
        sample(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        assertThat(pins.doubtful()).isZero();
        sampleNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void aThreadAboutToResumeCountsIfItSleepsAtTheNextSample() {
        sample(PinKind.NATIVE, 1, 1, true, false);
        assertThat(pins.active()).isEmpty();
        assertThat(pins.doubtful()).isEqualTo(1);
        assertThat(pins.isEmpty()).as("so that the next sample is soon").isFalse();
        sample(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        sampleNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(14);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false"})
    void aThreadThatIsStillAboutToResumeOrHasRunDoesNotCount(long sleepId, boolean sleeping) {
        sample(PinKind.NATIVE, 1, 1, true, false);
        sample(PinKind.NATIVE, sleepId, sleepId, true, sleeping);
        sampleNothing();
        assertThat(ledger.totals().count()).isZero();
    }

    /** The safepoint may have stopped the sampled thread. */
    @Test
    void afterASafepointDuringTheSampleTheNextOneDecides() {
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true,
                        () -> null));
        pins.end(10, true);
        assertThat(pins.active()).isEmpty();
        assertThat(pins.doubtful()).isEqualTo(1);
        sample(PinKind.NATIVE, 1, 1, false, true);
        assertThat(pins.active()).hasSize(1);
    }

    @Test
    void ofAWaitForAMonitorASafepointDoesNotLeaveADoubt() {
        sample(PinKind.ENTER, 1, 1, true, true);
        sampleNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    /** The thread parks, which the sampler takes for the JVM's own code. */
    @Test
    void safepointPausesAreNoWaits() {
        for (int sample = 0; sample < 2; sample++) {
            pins.begin(10, DurationEstimate.firstSample(4).plusPaused(1), true, 3, 0, false);
            pins.add(
                    new CarrierSample(
                            CARRIER,
                            held,
                            false,
                            () -> 1,
                            () -> true,
                            SampledPinsTest::inJvm,
                            () -> false,
                            () -> true,
                            () -> null));
            pins.end(10, false);
        }
        sampleNothing();

        assertThat(ledger.totals().count()).isEqualTo(1);
        assertThat(ledger.totals().nanos(PinKind.JVM)).isEqualTo(4 - 1 + 10 - 3);
    }

    @Test
    void whatSleepsInTheJvmUntilACollectionIsOverWaitsForTheCollectorAndIsNotHeld() {
        sampleInJvm(1, true, false);
        pins.begin(10, DurationEstimate.firstSample(4), true, 3, 0, true);
        pins.end(20, false);
        assertThat(ledger.totals().count()).isZero();
    }

    @Test
    void norIsWhatTheCollectorHasLetGoOnAndHasNotRunYet() {
        sampleInJvm(1, true, false);
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, true);
        assertThat(pins.add(inJvm(1, false))).isFalse();
        pins.end(10, false);
        assertThat(pins.doubtful()).isEqualTo(1);
        assertThat(pins.active()).isEmpty();
        assertThat(ledger.totals().count()).isZero();
    }

    @Test
    void whatSleepsInTheJvmBeforeAndAfterACollectionIsHeldButForTheTimeFromTheSampleBeforeIt() {
        sampleInJvm(1, true, false);
        sampleInJvm(1, true, false);
        pins.begin(10, DurationEstimate.firstSample(4), true, 10, 0, true);
        pins.add(inJvm(1, true));
        pins.end(30, false);
        sampleInJvm(1, true, false);
        sampleNothing();
        assertThat(ledger.totals().nanos(PinKind.JVM)).isEqualTo(4 + 10 + 10);
    }

    @Test
    void aWokenThreadWithoutACpuIsNotHeldMeanwhile() {
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.add(inJvm(1, true));
        pins.end(10, false);
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 9, false);
        pins.add(inJvm(1, false));
        pins.end(20, false);
        sampleNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4 + 1);
    }

    private void sampleInJvm(long sleepId, boolean sleeping, boolean collected) {
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, collected);
        pins.add(inJvm(sleepId, sleeping));
        pins.end(10, false);
    }

    /**
     * @param sleeping whether the kernel reports the thread as sleeping
     */
    private CarrierSample inJvm(long sleepId, boolean sleeping) {
        return new CarrierSample(
                CARRIER,
                held,
                false,
                () -> sleepId,
                () -> true,
                SampledPinsTest::inJvm,
                () -> false,
                () -> sleeping,
                () -> null);
    }

    /** An event may still report it exactly. */
    @Test
    void whileTheEventsBeginWhatHasEndedCountsForWantOfOneWithinASecond() {
        SampledPins beginning = pins(events(false));
        sampleOnce(beginning);
        beginning.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        beginning.end(1_000_000_020, false);
        assertThat(ledger.totals().count()).isZero();
        beginning.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        beginning.end(1_000_000_021, false);
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void whileThereIsNoNeedForEventsItCountsAtOnce() {
        sampleOnce(pins(events(true)));
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    private void sampleOnce(SampledPins by) {
        by.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        by.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true,
                        () -> null));
        by.end(10, false);
        by.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        by.end(20, false);
    }

    private JfrSensor events(boolean whenNeeded) {
        return new JfrSensor(
                new Sensors(),
                new VmPinRecorder(ledger, type -> false),
                reconciler,
                new FramesOfInterest(64),
                whenNeeded);
    }

    private void sample(PinKind kind, long sleepId, long sleepIdAgain) {
        sample(kind, sleepId, sleepIdAgain, false, true);
    }

    private void sample(
            PinKind kind, long sleepId, long sleepIdAgain, boolean stopped, boolean sleeping) {
        pins.begin(10, DurationEstimate.firstSample(4), stopped, 0, 0, false);
        pins.add(
                new CarrierSample(
                        CARRIER,
                        held,
                        kind == PinKind.ENTER,
                        () -> sleepId,
                        () -> sleepIdAgain == sleepId,
                        SampledPinsTest::inNativeCode,
                        () -> false,
                        () -> sleeping,
                        () -> null));
        pins.end(10, false);
    }

    private void sampleNothing() {
        pins.begin(10, DurationEstimate.firstSample(4), false, 0, 0, false);
        pins.end(20, false);
    }
}
