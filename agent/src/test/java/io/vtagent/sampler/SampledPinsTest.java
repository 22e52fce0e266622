package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.EndedPins;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Sensors;
import io.vtagent.record.VmPinRecorder;
import io.vtagent.site.FramesOfInterest;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CountDownLatch;
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

/** A look every 10 ns, the first of which counts for 4. */
class SampledPinsTest {
    private static final Thread CARRIER = new Thread(() -> {});

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread held = new Thread(this::hold);
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final JfrReconciler unconfirmed =
            new JfrReconciler(ledger, true, new FramesOfInterest(64));
    private final SampledPins pins = pins(null);

    private static HotSpot.Moment inNativeCode() {
        return new HotSpot.Moment(HotSpot.State.NATIVE, null);
    }

    private static HotSpot.Moment inJvm() {
        return new HotSpot.Moment(HotSpot.State.BLOCKED, null);
    }

    private SampledPins pins(@Nullable JfrSensor events) {
        return new SampledPins(
                ledger,
                events,
                unconfirmed,
                true,
                new FramesOfInterest(64),
                new StackBudget(System::nanoTime));
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
    void whatIsSeenAtSeveralLooksIsOnePinFromTheFirstToTheLast() {
        sample(PinKind.NATIVE, 1, 1);
        sample(PinKind.NATIVE, 1, 1);
        assertThat(ledger.totals().count()).isZero();
        assertThat(pins.isEmpty()).isFalse();

        lookAtNothing();

        assertThat(ledger.totals().count()).isEqualTo(1);
        assertThat(ledger.totals().nanos()).isEqualTo(14);
        assertThat(pins.isEmpty()).isTrue();
        assertThat(pins.active()).isEmpty();
    }

    /** Of a thread that waits for a monitor the JVM says so, and wakes it to look for itself. */
    @ParameterizedTest
    @CsvSource({"NATIVE, 2, 8", "ENTER, 1, 14"})
    void anotherNapIsAnotherPinButForAThreadThatWaitsForAMonitorAtTheSamePlace(
            PinKind kind, long pins, long nanos) {
        sample(kind, 1, 1);
        sample(kind, 2, 2);
        lookAtNothing();

        EndedPins totals = ledger.totals();
        assertThat(totals.count()).isEqualTo(pins);
        assertThat(totals.nanos()).isEqualTo(nanos);
    }

    /**
     * What the first of many counts for more than it would among others, the next ones count for
     * less.
     */
    @Test
    void ofManyThatBeginAfterARestTheFirstDoesNotCountForAllOfIt() {
        pins.begin(100, DurationEstimate.once(100, 100, 10).afterRest(true), false, 0, 0, false);
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 0,
                        () -> true,
                        SampledPinsTest::inNativeCode,
                        () -> false,
                        () -> true));
        pins.end(100, false);
        for (int nap = 1; nap <= 20; nap++) {
            pins.begin(10, DurationEstimate.once(10), false, 0, 0, false);
            int now = nap;
            pins.saw(
                    new CarrierSample(
                            CARRIER,
                            held,
                            false,
                            () -> now,
                            () -> true,
                            SampledPinsTest::inNativeCode,
                            () -> false,
                            () -> true));
            pins.end(100 + 10 * nap, false);
        }
        lookAtNothing();

        assertThat(ledger.totals().count()).isEqualTo(21);
        assertThat(ledger.totals().nanos()).isEqualTo(50 + 5 + 20 * 10);
    }

    @Test
    void anotherThreadIsAnotherPin() throws InterruptedException {
        sample(PinKind.ENTER, 1, 1);
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        Thread other = new Thread(this::hold);
        other.start();
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        other,
                        true,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true));
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

        lookAtNothing();

        assertThat(ledger.sites())
                .singleElement()
                .satisfies(
                        site -> {
                            assertThat(site.nanos()).isEqualTo(14);
                            assertThat(site.key().caller())
                                    .startsWith(SampledPinsTest.class.getName() + ".hold:");
                        });
    }

    /** A wait for a monitor is over in a moment, and then nothing tells any more where that was. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "ENTER"})
    void theStackIsReadBeforeAnythingElseIsAsked(PinKind kind) {
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        held,
                        kind == PinKind.ENTER,
                        this::napOnceAsked,
                        () -> true,
                        SampledPinsTest::inJvm,
                        this::isNoticedOnceAsked,
                        () -> true));
        pins.end(10, false);

        assertThat(held.isAlive()).isFalse();
        assertThat(pins.active())
                .singleElement()
                .satisfies(pin -> assertThat(pin.site()).isNotNull());
    }

    private long napOnceAsked() {
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

    /** It tells a sensor of a pin at that moment, which counts it. */
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
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        working,
                        false,
                        () -> 1,
                        () -> !over,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true));
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
        assertThat(pins.seen()).extracting(ActivePin::ageNanos).containsExactly(4L);
        assertThat(pins.active())
                .singleElement()
                .satisfies(pin -> assertThat(pin.ageNanos()).isGreaterThan(4));
    }

    /**
     * The JVM has stopped all threads before it: who then wakes up looks like one that sleeps, but
     * for the kernel.
     */
    @Test
    void afterASafepointWhoTheKernelSaysSleepsIsHeld() {
        sample(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void whoIsAboutToGoOnThenCountsIfHeSleepsAtTheNextLook() {
        sample(PinKind.NATIVE, 1, 1, true, false);
        assertThat(pins.active()).isEmpty();
        assertThat(pins.isEmpty()).as("so that the next look comes soon").isFalse();
        sample(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(14);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false"})
    void andIfHeStillIsOrHasRunHeDoesNot(long nap, boolean asleep) {
        sample(PinKind.NATIVE, 1, 1, true, false);
        sample(PinKind.NATIVE, nap, nap, true, asleep);
        lookAtNothing();
        assertThat(ledger.totals().count()).isZero();
    }

    /** Whoever was asked may have been stopped by it. */
    @Test
    void whereTheJvmStopsAllThreadsDuringTheLookTheNextOneTells() {
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true));
        pins.end(10, true);
        assertThat(pins.active()).isEmpty();
        sample(PinKind.NATIVE, 1, 1, false, true);
        assertThat(pins.active()).hasSize(1);
    }

    @Test
    void ofAWaitForAMonitorASafepointDoesNotLeaveADoubt() {
        sample(PinKind.ENTER, 1, 1, true, true);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    /** The thread parks: to the looks that is the JVM's own code. */
    @Test
    void whileTheJvmHadStoppedAllThreadsItMadeNobodyWait() {
        for (int look = 0; look < 2; look++) {
            pins.begin(10, DurationEstimate.once(4).stopped(1), true, 3, 0, false);
            pins.saw(
                    new CarrierSample(
                            CARRIER,
                            held,
                            false,
                            () -> 1,
                            () -> true,
                            SampledPinsTest::inJvm,
                            () -> false,
                            () -> true));
            pins.end(10, false);
        }
        lookAtNothing();

        assertThat(ledger.totals().count()).isEqualTo(1);
        assertThat(ledger.totals().nanos(PinKind.JVM)).isEqualTo(4 - 1 + 10 - 3);
    }

    @Test
    void whatSleepsInTheJvmUntilACollectionIsOverWaitsForTheCollectorAndIsNotHeld() {
        sawInJvm(1, true, false);
        pins.begin(10, DurationEstimate.once(4), true, 3, 0, true);
        pins.end(20, false);
        assertThat(ledger.totals().count()).isZero();
    }

    @Test
    void norIsWhatTheCollectorHasLetGoOnAndHasNotRunYet() {
        sawInJvm(1, true, false);
        sawInJvm(1, false, true);
        assertThat(pins.active()).isEmpty();
        assertThat(ledger.totals().count()).isZero();
    }

    @Test
    void whatSleepsInTheJvmBeforeAndAfterACollectionIsHeldButForTheTimeFromTheSampleBeforeIt() {
        sawInJvm(1, true, false);
        sawInJvm(1, true, false);
        pins.begin(10, DurationEstimate.once(4), true, 10, 0, true);
        pins.saw(inJvm(1, true));
        pins.end(30, false);
        sawInJvm(1, true, false);
        lookAtNothing();
        assertThat(ledger.totals().nanos(PinKind.JVM)).isEqualTo(4 + 10 + 10);
    }

    @Test
    void whatWasWokenAndGotNoProcessorIsNotHeldMeanwhile() {
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        pins.saw(inJvm(1, true));
        pins.end(10, false);
        pins.begin(10, DurationEstimate.once(4), false, 0, 9, false);
        pins.saw(inJvm(1, false));
        pins.end(20, false);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4 + 1);
    }

    private void sawInJvm(long nap, boolean asleep, boolean collected) {
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, collected);
        pins.saw(inJvm(nap, asleep));
        pins.end(10, false);
    }

    /**
     * @param asleep whether the kernel says so
     */
    private CarrierSample inJvm(long nap, boolean asleep) {
        return new CarrierSample(
                CARRIER,
                held,
                false,
                () -> nap,
                () -> true,
                SampledPinsTest::inJvm,
                () -> false,
                () -> asleep);
    }

    /** An event may tell of it exactly. */
    @Test
    void whileTheEventsBeginWhatHasEndedCountsForWantOfOneWithinASecond() {
        SampledPins beginning = pins(events(false));
        lookOnce(beginning);
        beginning.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        beginning.end(1_000_000_020, false);
        assertThat(ledger.totals().count()).isZero();
        beginning.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        beginning.end(1_000_000_021, false);
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void whileNobodyNeedsTheEventsItCountsAtOnce() {
        lookOnce(pins(events(true)));
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    private void lookOnce(SampledPins by) {
        by.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        by.saw(
                new CarrierSample(
                        CARRIER,
                        held,
                        false,
                        () -> 1,
                        () -> true,
                        SampledPinsTest::inJvm,
                        () -> false,
                        () -> true));
        by.end(10, false);
        by.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        by.end(20, false);
    }

    private JfrSensor events(boolean whenNeeded) {
        return new JfrSensor(
                new Sensors(),
                new VmPinRecorder(ledger, true, type -> false),
                unconfirmed,
                new FramesOfInterest(64),
                whenNeeded);
    }

    private void sample(PinKind kind, long nap, long napAgain) {
        sample(kind, nap, napAgain, false, true);
    }

    private void sample(PinKind kind, long nap, long napAgain, boolean stopped, boolean asleep) {
        pins.begin(10, DurationEstimate.once(4), stopped, 0, 0, false);
        pins.saw(
                new CarrierSample(
                        CARRIER,
                        held,
                        kind == PinKind.ENTER,
                        () -> nap,
                        () -> napAgain == nap,
                        SampledPinsTest::inNativeCode,
                        () -> false,
                        () -> asleep));
        pins.end(10, false);
    }

    private void lookAtNothing() {
        pins.begin(10, DurationEstimate.once(4), false, 0, 0, false);
        pins.end(20, false);
    }
}
