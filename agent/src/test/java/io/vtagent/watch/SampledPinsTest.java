package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.EndedPins;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Sensors;
import io.vtagent.record.VmPinRecorder;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.FramesOfInterest;
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
    private final UnconfirmedPins unconfirmed = new UnconfirmedPins(ledger, true, new FramesOfInterest(64));
    private final RunningInitializers initializers = initializers();
    private final SampledPins pins = pins(null);

    private SampledPins pins(@Nullable VmEventSensor events) {
        return new SampledPins(
                ledger,
                events,
                unconfirmed,
                initializers,
                true,
                new FramesOfInterest(64),
                new SnapshotBudget(System::nanoTime));
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
        look(PinKind.NATIVE, 1, 1);
        look(PinKind.NATIVE, 1, 1);
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
    void anotherNapIsAnotherPinButForAThreadThatWaitsForAMonitorAtTheSamePlace(PinKind kind, long pins, long nanos) {
        look(kind, 1, 1);
        look(kind, 2, 2);
        lookAtNothing();

        EndedPins totals = ledger.totals();
        assertThat(totals.count()).isEqualTo(pins);
        assertThat(totals.nanos()).isEqualTo(nanos);
    }

    /** What the first of many counts for more than it would among others, the next ones count for less. */
    @Test
    void ofManyThatBeginAfterARestTheFirstDoesNotCountForAllOfIt() {
        pins.begin(100, SeenTime.once(100, 100, 10).afterRest(true), false, 0);
        pins.saw(new Sight(CARRIER, held, false, () -> 0, () -> true, () -> true, () -> false, () -> true));
        pins.end(100, false);
        for (int nap = 1; nap <= 20; nap++) {
            pins.begin(10, SeenTime.once(10), false, 0);
            int now = nap;
            pins.saw(new Sight(CARRIER, held, false, () -> now, () -> true, () -> true, () -> false, () -> true));
            pins.end(100 + 10 * nap, false);
        }
        lookAtNothing();

        assertThat(ledger.totals().count()).isEqualTo(21);
        assertThat(ledger.totals().nanos()).isEqualTo(50 + 5 + 20 * 10);
    }

    @Test
    void anotherThreadIsAnotherPin() throws InterruptedException {
        look(PinKind.ENTER, 1, 1);
        pins.begin(10, SeenTime.once(4), false, 0);
        Thread other = new Thread(this::hold);
        other.start();
        pins.saw(new Sight(CARRIER, other, true, () -> 1, () -> true, () -> false, () -> false, () -> true));
        pins.end(20, false);
        end.countDown();
        other.join();

        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void theStackOfAThreadThatWentOnMeanwhileIsNotTheOneThatHeld() {
        look(PinKind.NATIVE, 1, 2);
        assertThat(pins.active()).extracting(ActivePin::site).containsOnlyNulls();
        look(PinKind.NATIVE, 1, 1);
        assertThat(pins.active()).extracting(ActivePin::site).doesNotContainNull();

        lookAtNothing();

        assertThat(ledger.sites()).singleElement().satisfies(site -> {
            assertThat(site.nanos()).isEqualTo(14);
            assertThat(site.key().caller()).startsWith(SampledPinsTest.class.getName() + ".hold:");
        });
    }

    /** A wait for a monitor is over in a moment, and then nothing tells any more where that was. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "ENTER"})
    void theStackIsReadBeforeAnythingElseIsAsked(PinKind kind) {
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.saw(new Sight(
                CARRIER,
                held,
                kind == PinKind.ENTER,
                this::napOnceAsked,
                () -> true,
                () -> false,
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
        Method call = MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup())
                .defineClass(ownClass("java.lang.VtAgentOfTest" + over))
                .getMethod("call", Runnable.class);
        Thread working = new Thread(() -> {
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
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.saw(new Sight(CARRIER, working, false, () -> 1, () -> !over, () -> false, () -> false, () -> true));
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
        look(PinKind.ENTER, 1, 1);
        assertThat(pins.seen()).extracting(ActivePin::ageNanos).containsExactly(4L);
        assertThat(pins.active())
                .singleElement()
                .satisfies(pin -> assertThat(pin.ageNanos()).isGreaterThan(4));
    }

    /** The JVM has stopped all threads before it: who then wakes up looks like one that sleeps, but for the kernel. */
    @Test
    void afterASafepointWhoTheKernelSaysSleepsIsHeld() {
        look(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void whoIsAboutToGoOnThenCountsIfHeSleepsAtTheNextLook() {
        look(PinKind.NATIVE, 1, 1, true, false);
        assertThat(pins.active()).isEmpty();
        assertThat(pins.isEmpty()).as("so that the next look comes soon").isFalse();
        look(PinKind.NATIVE, 1, 1, true, true);
        assertThat(pins.active()).hasSize(1);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(14);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false"})
    void andIfHeStillIsOrHasRunHeDoesNot(long nap, boolean asleep) {
        look(PinKind.NATIVE, 1, 1, true, false);
        look(PinKind.NATIVE, nap, nap, true, asleep);
        lookAtNothing();
        assertThat(ledger.totals().count()).isZero();
    }

    /** Whoever was asked may have been stopped by it. */
    @Test
    void whereTheJvmStopsAllThreadsDuringTheLookTheNextOneTells() {
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.saw(new Sight(CARRIER, held, false, () -> 1, () -> true, () -> false, () -> false, () -> true));
        pins.end(10, true);
        assertThat(pins.active()).isEmpty();
        look(PinKind.NATIVE, 1, 1, false, true);
        assertThat(pins.active()).hasSize(1);
    }

    @Test
    void ofAWaitForAMonitorASafepointDoesNotLeaveADoubt() {
        look(PinKind.ENTER, 1, 1, true, true);
        lookAtNothing();
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    /** The thread parks: to the looks that is the JVM's own code. */
    @Test
    void whileTheJvmHadStoppedAllThreadsItMadeNobodyWait() {
        for (int look = 0; look < 2; look++) {
            pins.begin(10, SeenTime.once(4).stopped(1), true, 3);
            pins.saw(new Sight(CARRIER, held, false, () -> 1, () -> true, () -> false, () -> false, () -> true));
            pins.end(10, false);
        }
        lookAtNothing();

        assertThat(ledger.totals().count()).isEqualTo(1);
        assertThat(ledger.totals().nanos(PinKind.JVM)).isEqualTo(4 - 1 + 10 - 3);
    }

    /** An event may tell of it exactly. */
    @Test
    void whileTheEventsBeginWhatHasEndedCountsForWantOfOneWithinASecond() {
        SampledPins beginning = pins(events(false));
        lookOnce(beginning);
        beginning.begin(10, SeenTime.once(4), false, 0);
        beginning.end(1_000_000_020, false);
        assertThat(ledger.totals().count()).isZero();
        beginning.begin(10, SeenTime.once(4), false, 0);
        beginning.end(1_000_000_021, false);
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    @Test
    void whileNobodyNeedsTheEventsItCountsAtOnce() {
        lookOnce(pins(events(true)));
        assertThat(ledger.totals().nanos()).isEqualTo(4);
    }

    private void lookOnce(SampledPins by) {
        by.begin(10, SeenTime.once(4), false, 0);
        by.saw(new Sight(CARRIER, held, false, () -> 1, () -> true, () -> false, () -> false, () -> true));
        by.end(10, false);
        by.begin(10, SeenTime.once(4), false, 0);
        by.end(20, false);
    }

    private VmEventSensor events(boolean whenNeeded) {
        return new VmEventSensor(
                new Sensors(),
                new VmPinRecorder(ledger, true, type -> false),
                unconfirmed,
                new FramesOfInterest(64),
                whenNeeded);
    }

    private void look(PinKind kind, long nap, long napAgain) {
        look(kind, nap, napAgain, false, true);
    }

    private void look(PinKind kind, long nap, long napAgain, boolean stopped, boolean asleep) {
        pins.begin(10, SeenTime.once(4), stopped, 0);
        pins.saw(new Sight(
                CARRIER,
                held,
                kind == PinKind.ENTER,
                () -> nap,
                () -> napAgain == nap,
                () -> true,
                () -> false,
                () -> asleep));
        pins.end(10, false);
    }

    private void lookAtNothing() {
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.end(20, false);
    }

    private static RunningInitializers initializers() {
        try {
            return new RunningInitializers(CarrierPool.ofThisJvm());
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("no scheduler", unknown);
        }
    }
}
