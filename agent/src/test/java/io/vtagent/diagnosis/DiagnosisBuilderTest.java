package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.sampler.HeldCarriers;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.SnapshotStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DiagnosisBuilderTest {
    /** Until then, owners of monitors are not known. */
    @BeforeAll
    static void awaitProof() {
        await().until(() -> HotSpot.ofThisJvm().isProved());
    }

    @Test
    void everyCarrierIsReportedWithWhatItCarriesAndTheThreadsThatWaitForOne() {
        try (HeldCarriers all = new HeldCarriers()) {
            Diagnosis diagnosis = new DiagnosisBuilder(all.pool(), List.of(), 2).make(7, 0, false);

            assertThat(diagnosis.starvedNanos()).isEqualTo(7);
            assertThat(diagnosis.carriers())
                    .isEqualTo(diagnosis.held().size())
                    .isEqualTo(all.carriers().size());
            assertThat(diagnosis.queued()).isPositive();
            assertThat(diagnosis.queuedThreads())
                    .contains("\"" + all.queued().getName() + "\" #" + all.queued().threadId());
            assertThat(diagnosis.locks()).isEmpty();
            assertThat(diagnosis.held())
                    .allSatisfy(
                            held -> {
                                assertThat(held.thread()).startsWith("\"holder-");
                                assertThat(held.state()).isEqualTo("waiting");
                                assertThat(held.waitsFor()).isNull();
                                assertThat(held.owner()).isNull();
                                assertThat(held.stack()).hasSize(2);
                            });
            assertThat(diagnosis.held().stream().map(Diagnosis.CarrierState::carrier))
                    .containsExactlyInAnyOrderElementsOf(
                            all.carriers().stream().map(Thread::getName).toList());
        }
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // it is waited for in between
    void aThreadThatWaitsForALockIsReportedWithItsOwnerAndItsQueue() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread waiter =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    VirtualThreads.pin();
                                    lock.lock();
                                    lock.unlock();
                                    VirtualThreads.unpin();
                                });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        try (HeldCarriers all = new HeldCarriers()) {
            Diagnosis diagnosis = new DiagnosisBuilder(all.pool(), List.of(), 64).make(7, 0, false);
            String me =
                    "\""
                            + Thread.currentThread().getName()
                            + "\" #"
                            + Thread.currentThread().threadId();

            assertThat(diagnosis.held())
                    .filteredOn(held -> held.thread().equals("#" + waiter.threadId()))
                    .singleElement()
                    .satisfies(
                            held -> {
                                assertThat(held.waitsFor()).startsWith("ReentrantLock@");
                                assertThat(held.owner()).isEqualTo(me);
                            });
            assertThat(diagnosis.locks())
                    .singleElement()
                    .satisfies(
                            reported -> {
                                assertThat(reported.name()).startsWith("ReentrantLock@");
                                assertThat(reported.owner()).isEqualTo(me);
                                assertThat(reported.queue())
                                        .containsExactly("#" + waiter.threadId());
                            });
        } finally {
            lock.unlock();
        }
        waiter.join();
    }

    @Test
    void aThreadThatWaitsToEnterIsReportedWithTheMonitorAndItsOwner() throws InterruptedException {
        await().until(HotSpot.ofThisJvm()::isProved); // another thread proves it
        Object monitor = new Object();
        Thread entering =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    VirtualThreads.pin();
                                    synchronized (monitor) {
                                        Thread.onSpinWait();
                                    }
                                    VirtualThreads.unpin();
                                });
        synchronized (monitor) {
            entering.start();
            while (entering.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            try (HeldCarriers all = new HeldCarriers()) {
                Thread carrier = all.carrierOf(entering);
                ActivePin pin =
                        ActivePins.of(
                                PinKind.ENTER,
                                PinReason.MONITOR,
                                5_400_000,
                                entering,
                                carrier,
                                false,
                                null,
                                monitor);
                Diagnosis.CarrierState held =
                        of(
                                pin,
                                new DiagnosisBuilder(all.pool(), List.of(pin), 64)
                                        .make(7, 0, false));

                assertThat(held.state()).isEqualTo("enter for 5 ms");
                assertThat(held.waitsFor()).startsWith("Object@");
                assertThat(held.owner())
                        .isEqualTo(
                                "\""
                                        + Thread.currentThread().getName()
                                        + "\" #"
                                        + Thread.currentThread().threadId());
            }
        }
        entering.join();
    }

    /** One waits for a lock, the other to enter a monitor, which the sensors report. */
    @Test
    @SuppressWarnings("LockNotBeforeTry") // it is waited for in between
    void threadsThatWaitForEachOtherAreADeadlockUnlessSomethingMoves() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        Thread entering =
                Thread.ofVirtual()
                        .name("entering")
                        .start(
                                () -> {
                                    lock.lock();
                                    VirtualThreads.pin();
                                    locked.countDown();
                                    awaitPinned(entered);
                                    synchronized (monitor) {
                                        lock.unlock();
                                    }
                                    VirtualThreads.unpin();
                                });
        Thread locking =
                Thread.ofPlatform()
                        .name("locking")
                        .start(
                                () -> {
                                    synchronized (monitor) {
                                        entered.countDown();
                                        try {
                                            locked.await();
                                            lock.lockInterruptibly();
                                        } catch (InterruptedException over) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }
                                });
        try (HeldCarriers all = new HeldCarriers()) {
            Thread carrier = all.carrierOf(entering);
            while (carrier.getState() != Thread.State.BLOCKED
                    || locking.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            ActivePin pin =
                    ActivePins.of(
                            PinKind.ENTER,
                            PinReason.MONITOR,
                            1,
                            entering,
                            carrier,
                            false,
                            null,
                            monitor);
            DiagnosisBuilder builder = new DiagnosisBuilder(all.pool(), List.of(pin), 8);
            Diagnosis stuck = builder.make(7, 0, false);

            assertThat(stuck.deadlock())
                    .extracting(Diagnosis.Link::thread)
                    .containsExactlyInAnyOrder(
                            "\"entering\" #" + entering.threadId(),
                            "\"locking\" #" + locking.threadId());
            assertThat(stuck.verdict())
                    .startsWith("Deadlock: `")
                    .endsWith(
                            " 1 of "
                                    + stuck.carriers()
                                    + " carriers are held by these threads and by threads"
                                    + " that wait for them.");
            assertThat(stuck.remedy()).contains("and leave the deadlock as it is");
            assertThat(stuck.overload()).isFalse();

            Diagnosis moving = builder.make(7, 1, false);
            assertThat(moving.deadlock()).isEmpty();
            assertThat(moving.remedy()).isNull();
            assertThat(moving.overload()).isTrue();
        } finally {
            locking.interrupt();
        }
        locking.join();
        entering.join();
    }

    /** Waits until they are on their carriers: a thread that is not pinned yet might be moved. */
    private static void awaitPinned(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** A thread of a class of the application's. */
    private static final class ThreadWithCode extends Thread {
        private volatile int calls;

        ThreadWithCode(Runnable task) {
            super(task);
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // only counted while one thread calls it
        public int hashCode() {
            calls++;
            return 0;
        }
    }

    @Test
    void noHashCodeOfAPlatformThreadIsComputed() throws InterruptedException {
        Object monitor = new Object();
        ThreadWithCode entering =
                new ThreadWithCode(
                        () -> {
                            synchronized (monitor) {
                                Thread.onSpinWait();
                            }
                        });
        synchronized (monitor) {
            entering.start();
            while (entering.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            try (HeldCarriers all = new HeldCarriers()) {
                ActivePin ofAnotherScheduler =
                        ActivePins.of(
                                PinKind.PARK,
                                PinReason.MONITOR,
                                1,
                                all.holder(),
                                entering,
                                false,
                                null,
                                null);
                int before = entering.calls;
                Diagnosis unused =
                        new DiagnosisBuilder(all.pool(), List.of(ofAnotherScheduler), 8)
                                .make(7, 0, false);

                assertThat(entering.calls).isEqualTo(before);
            }
        }
        entering.join();
    }

    @Test
    void aMonitorIsNotReportedForAThreadThatDoesNotWaitToEnter() {
        try (HeldCarriers all = new HeldCarriers()) {
            ActivePin pin = pin(all, PinKind.PARK, null, "monitor");
            assertThat(
                            of(
                                            pin,
                                            new DiagnosisBuilder(all.pool(), List.of(pin), 64)
                                                    .make(7, 0, false))
                                    .waitsFor())
                    .isNull();
        }
    }

    @Test
    void aPinThatHasEndedIsNotReported() {
        try (HeldCarriers all = new HeldCarriers()) {
            ActivePin ended = pin(all, PinKind.ENTER, null, "monitor");
            ActivePin ofAnother =
                    ActivePins.of(
                            PinKind.PARK,
                            PinReason.MONITOR,
                            5_400_000,
                            all.queued(),
                            all.carrierOf(all.holder()),
                            false,
                            null,
                            null);
            for (ActivePin pin : List.of(ended, ofAnother)) {
                assertThat(
                                of(
                                                pin,
                                                new DiagnosisBuilder(all.pool(), List.of(pin), 64)
                                                        .make(7, 0, false))
                                        .state())
                        .isEqualTo("waiting");
            }
        }
    }

    /** Each of them sleeps in the monitor, so that the other is entering. */
    @Test
    void whatIsSaidOfThreadsThatTakeTurnsAtAMonitorFitsTogether()
            throws ReflectiveOperationException, InterruptedException {
        CarrierPool pool = CarrierPool.ofThisJvm();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> turns = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            turns.add(
                    Thread.ofVirtual()
                            .name("turn-" + i)
                            .start(
                                    () -> {
                                        VirtualThreads.pin();
                                        while (!over.get()) {
                                            takeTurn(turns);
                                        }
                                        VirtualThreads.unpin();
                                    }));
        }
        int found = 0;
        try {
            for (int i = 0; i < 500; i++) {
                Diagnosis diagnosis = new DiagnosisBuilder(pool, List.of(), 64).make(7, 0, false);
                Matcher owner = OWNER.matcher(diagnosis.verdict());
                if (owner.find()) {
                    found++;
                    assertThat(diagnosis.held())
                            .filteredOn(held -> held.thread().startsWith('"' + owner.group(1)))
                            .singleElement()
                            .satisfies(
                                    held -> {
                                        assertThat(held.state()).isNotEqualTo("blocked");
                                        assertThat(held.stack().toString())
                                                .contains(Objects.requireNonNull(owner.group(2)));
                                    });
                }
            }
        } finally {
            over.set(true);
            for (Thread turn : turns) {
                turn.join();
            }
        }
        assertThat(found).isPositive();
    }

    private static final Pattern OWNER =
            Pattern.compile("`(turn-.)` has it and is at `[^`]*` in ([\\w.]+)\\.");

    private static void takeTurn(Object monitor) {
        synchronized (monitor) {
            try {
                Thread.sleep(3);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }
    }

    @Test
    void theFramesThatHoldTheCarrierAreMarked() {
        try (HeldCarriers all = new HeldCarriers()) {
            List<StackTraceElement> frames = List.of(all.holder().getStackTrace());
            PinnedStack stack =
                    new PinnedStack(
                            List.of(),
                            1,
                            SnapshotStack.location(frames.get(1)),
                            PinnedStack.Cause.CLASS_INIT,
                            null,
                            "java.lang.Thread.sleep",
                            null,
                            null,
                            Map.of(
                                    frames.get(2).toString(),
                                    new PinnedStack.Monitors("shop.Cache", null)));
            Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
            ledger.add(PinKind.PARK, PinReason.MONITOR, 1, () -> stack);
            ActivePin pin = pin(all, PinKind.PARK, ledger.sites().get(0), null);

            List<String> reported =
                    of(pin, new DiagnosisBuilder(all.pool(), List.of(pin), 64).make(7, 0, false))
                            .stack();

            assertThat(reported).hasSameSizeAs(frames);
            assertThat(reported.get(0)).isEqualTo(frames.get(0).toString());
            assertThat(reported.get(1)).isEqualTo(frames.get(1) + "  <== class initializer");
            assertThat(reported.get(2)).isEqualTo(frames.get(2) + "  <== monitor: shop.Cache");
            assertThat(reported.get(3)).isEqualTo(frames.get(3).toString());
        }
    }

    @Test
    void aCarrierIsHeldBehindAMonitorOnlyIfThatHoldsIt() {
        try (HeldCarriers all = new HeldCarriers()) {
            assertThat(keeper(pin(all, PinKind.PARK, site(PinnedStack.Cause.MONITOR), null)))
                    .isEqualTo("behind a monitor");
            assertThat(keeper(pin(all, PinKind.PARK, site(PinnedStack.Cause.NATIVE), null)))
                    .isNull();
            assertThat(keeper(pin(all, PinKind.PARK, null, null))).isNull();
            assertThat(keeper(null)).isNull();
        }
    }

    @Test
    void whereThereIsNoRoomForFurtherCarriersThePropertyToRaiseIsNamed()
            throws ReflectiveOperationException {
        try (HeldCarriers all = new HeldCarriers()) {
            int most = all.pool().size();
            System.setProperty(CarrierPool.MAX_POOL_SIZE, Integer.toString(most));
            try {
                assertThat(
                                new DiagnosisBuilder(CarrierPool.ofThisJvm(), List.of(), 8)
                                        .make(7, 0, false)
                                        .remedy())
                        .isEqualTo(
                                "relief=stuck would add carriers, one at a time, until something"
                                        + " moves, if there were room: raise"
                                        + " jdk.virtualThreadScheduler.maxPoolSize, which is "
                                        + most);
            } finally {
                System.clearProperty(CarrierPool.MAX_POOL_SIZE);
            }
        }
    }

    private static @Nullable String keeper(@Nullable ActivePin pin) {
        Thread any = Thread.currentThread();
        return new HeldCarrier(any, any, Thread.State.WAITING, pin, List.of()).keeper();
    }

    private static Site site(PinnedStack.Cause cause) {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.add(
                PinKind.PARK,
                PinReason.MONITOR,
                1,
                () ->
                        new PinnedStack(
                                List.of(), 0, "A.a:1", cause, null, "", null, null, Map.of()));
        return ledger.sites().get(0);
    }

    /** Returns what {@code HeldCarriers.holder} does, as a sensor reports it. */
    private static ActivePin pin(
            HeldCarriers all, PinKind kind, @Nullable Site site, @Nullable Object monitor) {
        Thread thread = all.holder();
        return ActivePins.of(
                kind,
                PinReason.MONITOR,
                5_400_000,
                thread,
                all.carrierOf(thread),
                false,
                site,
                monitor);
    }

    private static Diagnosis.CarrierState of(ActivePin pin, Diagnosis diagnosis) {
        return diagnosis.held().stream()
                .filter(held -> held.carrier().equals(pin.carrier().getName()))
                .findFirst()
                .orElseThrow();
    }

    /** A thread may get a carrier between one read and the next. */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // which threads are queued is to change all the time
    void underOverloadAThreadIsNamedOnACarrierOrWithoutOneAndTheCountIsThatOfTheNames()
            throws ReflectiveOperationException, InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            busy.add(
                    Thread.ofVirtual()
                            .name("busy-" + i)
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            Thread.yield();
                                        }
                                    }));
        }
        CarrierPool pool = CarrierPool.ofThisJvm();
        try {
            for (int i = 0; i < 300; i++) {
                Diagnosis diagnosis = new DiagnosisBuilder(pool, List.of(), 2).make(7, 1, false);
                List<String> onCarriers =
                        diagnosis.held().stream().map(Diagnosis.CarrierState::thread).toList();
                if (!diagnosis
                        .queuedThreads()
                        .isEmpty()) { // while they move all of them may be missed
                    assertThat(diagnosis.queuedThreads()).hasSize((int) diagnosis.queued());
                }
                assertThat(diagnosis.queuedThreads())
                        .doesNotHaveDuplicates()
                        .noneMatch(onCarriers::contains);
            }
        } finally {
            over.set(true);
        }
        for (Thread thread : busy) {
            thread.join();
        }
    }
}
