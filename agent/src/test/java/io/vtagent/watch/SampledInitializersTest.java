package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What looks see of threads that may wait for a class which another one initializes. */
class SampledInitializersTest {
    private static final Thread CARRIER = new Thread(() -> {});

    private final FramesOfInterest wanted = new FramesOfInterest(64);
    private final Ledger ledger = new Ledger(true, 0, wanted, 10, Buckets.SINGLE);
    private final RunningInitializers initializers;
    private final SampledPins pins;
    private final Running running = new Running();

    SampledInitializersTest() throws ReflectiveOperationException {
        // or on a busy machine one search would not come to all threads
        initializers = new RunningInitializers(CarrierPool.ofThisJvm(), Long.MAX_VALUE);
        pins = new SampledPins(
                ledger,
                null,
                new UnconfirmedPins(ledger, true, wanted),
                initializers,
                true,
                wanted,
                new SnapshotBudget(System::nanoTime));
    }

    /** A class initializer that has begun, and ends when it may. */
    private static final class Running {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        void run() {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static volatile Running newest = new Running();

    private static final class Awaited {
        static {
            newest.run();
        }

        static void initialize() {}
    }

    private static final class Unwanted {
        static {
            newest.run();
        }

        static void initialize() {}
    }

    private static volatile boolean mayUse;
    private static volatile @Nullable Object used;

    private static final class Untouched {
        static final Object VALUE = new Object();
    }

    @AfterEach
    void end() {
        running.mayEnd.countDown();
        mayUse = true;
    }

    @Test
    void whoWaitsForAClassIsToldWithIt() throws InterruptedException {
        Thread initializing = initialize(Awaited::initialize);
        Thread waiting = new Thread(SampledInitializersTest::useAwaited);
        waiting.start();
        while (!isAt(waiting, "useAwaited")) {
            Thread.onSpinWait();
        }
        look(waiting);

        assertThat(pins.active()).singleElement().satisfies(pin -> {
            assertThat(pin.kind()).isEqualTo(PinKind.CLASS_INIT);
            PinnedStack stack =
                    Objects.requireNonNull(Objects.requireNonNull(pin.site()).stack());
            assertThat(stack.monitorClass()).isEqualTo(Awaited.class.getName());
        });

        running.mayEnd.countDown();
        waiting.join();
        initializing.join();
        lookAtNothing();
        assertThat(ledger.totals().nanos(PinKind.CLASS_INIT)).isEqualTo(4);
    }

    /** There may be more of those than stacks that may be read. */
    @Test
    void whatTheJvmLetsWaitAndNobodyHasReadWhereDoesWhatTheLastOneDid() {
        AwaitedClasses awaited = new AwaitedClasses(initializers, new SnapshotBudget(System::nanoTime));
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN.told(false))).isEqualTo(PinKind.JVM);

        awaited.ended(read(Sleep.UNKNOWN.told(false).forSomeClass(), false), 0);
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN.told(false))).isEqualTo(PinKind.CLASS_INIT);
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN.told(true))).isEqualTo(PinKind.NATIVE);
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN)).isEqualTo(PinKind.NATIVE);

        awaited.ended(read(Sleep.UNKNOWN.told(true), false), 0);
        awaited.ended(read(Sleep.UNKNOWN, true), 0);
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN.told(false))).isEqualTo(PinKind.CLASS_INIT);

        awaited.ended(read(Sleep.UNKNOWN.told(false), false), 0);
        assertThat(kindOfUnread(awaited, Sleep.UNKNOWN.told(false))).isEqualTo(PinKind.JVM);
    }

    @Test
    void aSecondLaterOrOnceItIsToldItDoesNot() {
        AwaitedClasses awaited = new AwaitedClasses(initializers, new SnapshotBudget(System::nanoTime));
        awaited.ended(read(Sleep.UNKNOWN.told(false).forSomeClass(), false), 0);
        SampledPin unread = pin(null, Sleep.UNKNOWN.told(false), false);

        assertThat(kindIn(awaited, unread, 999_999_999)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(kindIn(awaited, unread, 1_000_000_000)).isEqualTo(PinKind.JVM);
        assertThat(kindIn(awaited, unread.seenAgain(1, 10, 0), 10)).isEqualTo(PinKind.JVM);
    }

    private static PinKind kindOfUnread(AwaitedClasses awaited, Sleep sleep) {
        return kindIn(awaited, pin(null, sleep, false), 0);
    }

    private static PinKind kindIn(AwaitedClasses awaited, SampledPin pin, long nowNanos) {
        Map<Thread, SampledPin> seen = new HashMap<>(Map.of(CARRIER, pin));
        awaited.find(seen, each -> false, nowNanos);
        return Objects.requireNonNull(seen.get(CARRIER)).kind();
    }

    private static SampledPin read(Sleep sleep, boolean entering) {
        return pin(Snapshot.of(CARRIER), sleep, entering);
    }

    private static SampledPin pin(@Nullable Snapshot stack, Sleep sleep, boolean entering) {
        return SampledPin.seen(CARRIER, CARRIER, entering, 1, SeenTime.once(4), stack, sleep);
    }

    /** Most code names some class that nobody has initialized yet. */
    @Test
    void whoOnlyNamesAClassThatNobodyInitializesDoesNotWaitForIt() throws InterruptedException {
        mayUse = false;
        Thread spinning = new Thread(SampledInitializersTest::useUntouchedLater);
        spinning.start();
        while (!isAt(spinning, "useUntouchedLater")) {
            Thread.onSpinWait();
        }
        look(spinning);

        assertThat(pins.active()).extracting(ActivePin::kind).isEqualTo(List.of(PinKind.JVM));
        mayUse = true;
        spinning.join();
        assertThat(used).isNotNull();
    }

    private boolean isFound(Class<?> type) {
        return initializers.without(Thread.currentThread()).contains(type);
    }

    /** Or their loaders could not go, until somebody waits for another class. */
    @Test
    void classesThatNobodyWaitsForAreNotKept() throws InterruptedException {
        Thread initializing = initialize(Unwanted::initialize);
        initializers.search();
        assertThat(isFound(Unwanted.class)).isTrue();

        look(initializing); // which is parked

        assertThat(initializers.without(Thread.currentThread())).isEmpty();
        running.mayEnd.countDown();
        initializing.join();
    }

    private static void useAwaited() {
        Awaited.initialize();
    }

    private static void useUntouchedLater() {
        while (!mayUse) { // nothing is called here: the innermost frame is this one
        }
        used = Untouched.VALUE;
    }

    private static boolean isAt(Thread thread, String method) {
        StackTraceElement[] frames = thread.getStackTrace();
        return frames.length > 0 && frames[0].getMethodName().equals(method);
    }

    private Thread initialize(Runnable initializer) throws InterruptedException {
        newest = running;
        Thread initializing = new Thread(initializer);
        initializing.start();
        running.begun.await();
        return initializing;
    }

    private void look(Thread seen) {
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.saw(new Sight(CARRIER, seen, false, () -> 1, () -> true, () -> false, () -> false, () -> true));
        pins.end(10, false);
    }

    private void lookAtNothing() {
        pins.begin(10, SeenTime.once(4), false, 0);
        pins.end(20, false);
    }
}
