package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.jvm.OwnPool;
import io.vtagent.ledger.ActivePins;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.thread.AgentThread;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ThreadReaderTest {
    private final ForkJoinPool scheduler = OwnPool.of(1, 1);
    private final CarrierPool pool = OwnPool.seen(scheduler);
    private final IdentityHashMap<Thread, ActivePin> pins = new IdentityHashMap<>();
    private final List<Thread> started = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    ThreadReaderTest() throws ReflectiveOperationException {}

    /** Until then, owners of monitors are not known. */
    @BeforeAll
    static void awaitProof() {
        await().until(() -> HotSpot.ofThisJvm().isProved());
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        for (Thread thread : started) {
            while (thread.isAlive()) {
                thread.interrupt();
                thread.join(10);
            }
        }
        scheduler.shutdown();
    }

    private interface Blocking {
        void run() throws InterruptedException;
    }

    private static Runnable task(Blocking blocking) {
        return () -> {
            try {
                blocking.run();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private Thread platform(String name, Blocking blocking) {
        return start(Thread.ofPlatform().name(name).unstarted(task(blocking)));
    }

    private Thread virtual(String name, Blocking blocking) {
        Thread thread = OwnPool.unstarted(scheduler, task(blocking));
        thread.setName(name);
        return start(thread);
    }

    private Thread start(Thread thread) {
        started.add(thread);
        thread.start();
        return thread;
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }

    private Thread lockedBy(ReentrantLock lock, String name) throws InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        Thread owner = virtual(name, () -> lockAndPark(lock, locked));
        locked.await();
        awaitState(owner, Thread.State.WAITING);
        return owner;
    }

    private void lockAndPark(ReentrantLock lock, CountDownLatch locked) {
        lock.lock();
        try {
            locked.countDown();
            while (end.getCount() > 0) {
                LockSupport.park();
            }
        } finally {
            lock.unlock();
        }
    }

    private Thread holdCarrier() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread spinning =
                virtual(
                        "spinning",
                        () -> {
                            begun.countDown();
                            while (end.getCount() > 0) {
                                Thread.onSpinWait();
                            }
                        });
        begun.await();
        return spinning;
    }

    /** Returns a reader for the platform threads that exist now. */
    private ThreadReader reader() {
        return new ThreadReader(pool, pins);
    }

    private WaitGraph.Node read(Thread thread) {
        return nodeOf(reader().read(List.of()), thread);
    }

    private static WaitGraph.Node nodeOf(WaitGraph graph, Thread thread) {
        return Objects.requireNonNull(graph.of(thread.threadId()));
    }

    private static Wait waitOf(WaitGraph.Node node) {
        return Objects.requireNonNull(node.waitsFor());
    }

    @Test
    void theOwnerOfALockForWhichAPlatformThreadWaitsIsReadAsWell() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread owner = lockedBy(lock, "owner");
        Thread waiter = platform("waiter", lock::lockInterruptibly);
        awaitState(waiter, Thread.State.WAITING);
        ThreadReader reader = reader();
        WaitGraph graph = reader.read(List.of());

        Wait wait = waitOf(nodeOf(graph, waiter));
        assertThat(wait.kind()).isEqualTo(Wait.Kind.LOCK);
        assertThat(wait.owner()).isEqualTo(ThreadLabel.of(owner));
        assertThat(wait.next()).isNull();
        assertThat(wait.timed()).isFalse();
        assertThat(nodeOf(graph, owner))
                .isEqualTo(new WaitGraph.Node(ThreadLabel.of(owner), false, null));
        assertThat(reader.thread(owner.threadId())).isSameAs(owner);
        assertThat(Objects.requireNonNull(reader.parkedFor(waiter.threadId())).owner())
                .isSameAs(owner);
        assertThat(reader.parkedFor(owner.threadId())).isNull();
    }

    @Test
    void aVirtualThreadForWhichNoneWaitsIsNotRead() throws InterruptedException {
        Thread owner = lockedBy(new ReentrantLock(), "owner");
        ThreadReader reader = reader();

        assertThat(reader.read(List.of()).of(owner.threadId())).isNull();
        assertThat(reader.thread(owner.threadId())).isNull();
    }

    @Test
    void aPlatformThreadWithATimeLimitIsKnown() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread owner = lockedBy(lock, "owner");
        Thread waiter = platform("waiter", () -> tryForHours(lock));
        awaitState(waiter, Thread.State.TIMED_WAITING);

        Wait wait = waitOf(read(waiter));
        assertThat(wait.timed()).isTrue();
        assertThat(wait.owner()).isEqualTo(ThreadLabel.of(owner));
    }

    @Test
    void aVirtualThreadWithATimeLimitIsKnown() throws InterruptedException {
        ReentrantLock first = new ReentrantLock();
        Thread last = lockedBy(first, "last");
        ReentrantLock second = new ReentrantLock();
        CountDownLatch locked = new CountDownLatch(1);
        Thread timed =
                virtual(
                        "timed",
                        () -> {
                            second.lockInterruptibly();
                            try {
                                locked.countDown();
                                tryForHours(first);
                            } finally {
                                second.unlock();
                            }
                        });
        locked.await();
        await().until(() -> first.hasQueuedThread(timed) && !VirtualThreads.isMounted(timed));
        Thread waiter = platform("waiter", second::lockInterruptibly);
        awaitState(waiter, Thread.State.WAITING);

        Wait wait = waitOf(read(timed));
        assertThat(wait.owner()).isEqualTo(ThreadLabel.of(last));
        assertThat(wait.timed()).isTrue();
    }

    private static void tryForHours(ReentrantLock lock) throws InterruptedException {
        boolean unused = lock.tryLock(9, TimeUnit.HOURS);
    }

    @Test
    void aThreadThatCouldRunIsReadyAndWaitsForNothing() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread owner = lockedBy(lock, "owner");
        Thread spinning = holdCarrier();
        LockSupport.unpark(owner);
        Thread waiter = platform("waiter", lock::lockInterruptibly);
        awaitState(waiter, Thread.State.WAITING);
        WaitGraph graph = reader().read(List.of());

        assertThat(nodeOf(graph, owner))
                .isEqualTo(new WaitGraph.Node(ThreadLabel.of(owner), true, null));
        assertThat(nodeOf(graph, spinning).ready()).as("on a carrier").isFalse();
        assertThat(nodeOf(graph, waiter).ready()).as("a platform thread").isFalse();
    }

    /** A thread whose time limit has expired keeps its state until the scheduler runs a task. */
    @Test
    void aQueuedThreadIsReadyWhateverItsState() throws InterruptedException {
        Thread owner = lockedBy(new ReentrantLock(), "owner");

        assertThat(nodeOf(reader().read(List.of(owner)), owner).ready()).isTrue();
    }

    @Test
    void theFirstThreadInTheQueueOfWhatIsFreeIsNext() throws InterruptedException {
        Semaphore semaphore = new Semaphore(0);
        Thread next = virtual("next", semaphore::acquire);
        await().until(() -> semaphore.hasQueuedThreads() && !VirtualThreads.isMounted(next));
        Thread waiter = platform("waiter", () -> semaphore.acquire(2));
        awaitState(waiter, Thread.State.WAITING);
        Thread unused = holdCarrier();
        semaphore.release();
        WaitGraph graph = reader().read(List.of());

        Wait wait = waitOf(nodeOf(graph, waiter));
        assertThat(wait.owner()).isNull();
        assertThat(wait.next()).isEqualTo(ThreadLabel.of(next));
        assertThat(nodeOf(graph, next).ready()).isTrue();
    }

    @Test
    void theOwnerOfAMonitorIsKnownWithoutASensor() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            Thread entering = platform("entering", () -> enter(monitor));
            awaitState(entering, Thread.State.BLOCKED);
            Wait wait = waitOf(read(entering));

            assertThat(wait.kind()).isEqualTo(Wait.Kind.MONITOR);
            assertThat(wait.name()).startsWith("monitor 0x");
            assertThat(wait.owner()).isEqualTo(ThreadLabel.of(Thread.currentThread()));
            assertThat(wait.timed()).isFalse();
        }
    }

    /** Of another thread only the JVM knows for which monitor it waits. */
    @Test
    void theMonitorThatASensorKnowsIsNamedForAllThatWait() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            Thread pinned =
                    virtual(
                            "pinned",
                            () -> {
                                VirtualThreads.pin();
                                enter(monitor);
                                VirtualThreads.unpin();
                            });
            awaitState(pinned, Thread.State.BLOCKED);
            Thread entering = platform("entering", () -> enter(monitor));
            awaitState(entering, Thread.State.BLOCKED);
            Thread carrier = pool.carriers().getFirst();
            pins.put(carrier, pin(PinKind.ENTER, pinned, carrier, monitor));
            WaitGraph graph = reader().read(List.of());

            Wait known = waitOf(nodeOf(graph, pinned));
            assertThat(known.name()).startsWith("Object@");
            assertThat(known.owner()).isEqualTo(ThreadLabel.of(Thread.currentThread()));
            assertThat(waitOf(nodeOf(graph, entering))).isEqualTo(known);
        }
    }

    @Test
    void aPinOfAnotherKindOrOfAnotherThreadShowsNoMonitor() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            Thread entering = platform("entering", () -> enter(monitor));
            awaitState(entering, Thread.State.BLOCKED);
            for (ActivePin pin :
                    List.of(
                            pin(PinKind.WAIT, entering, entering, "other"),
                            pin(PinKind.ENTER, Thread.currentThread(), entering, "other"))) {
                pins.put(entering, pin);

                assertThat(waitOf(read(entering)).name()).startsWith("monitor 0x");
            }
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait();
        }
    }

    private static ActivePin pin(
            PinKind kind, Thread thread, Thread carrier, @Nullable Object monitor) {
        return ActivePins.of(kind, PinReason.MONITOR, 1, thread, carrier, false, null, monitor);
    }

    private static final CountDownLatch INITIALIZED = new CountDownLatch(1);

    private static final class Slow {
        static {
            try {
                INITIALIZED.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }

        static void use() {}
    }

    @Test
    void theThreadThatInitializesAClassIsKnown() {
        Thread initializing = platform("initializing", Slow::use);
        awaitState(initializing, Thread.State.WAITING);
        Thread waiting = platform("waiting", Slow::use);
        await().until(() -> HotSpot.ofThisJvm().awaitedClass(waiting) != null);
        Wait wait = waitOf(read(waiting));
        INITIALIZED.countDown();

        assertThat(wait)
                .isEqualTo(
                        new Wait(
                                Wait.Kind.CLASS,
                                Slow.class.getName(),
                                ThreadLabel.of(initializing),
                                null));
    }

    @Test
    void aCarrierIsReadAsTheThreadThatItCarriesAndOneThatIsIdleAsItself() throws Exception {
        Thread spinning = holdCarrier();
        Thread carrier = pool.carriers().getFirst();
        WaitGraph graph = reader().read(List.of());

        assertThat(graph.of(spinning.threadId())).isNotNull();
        assertThat(graph.of(carrier.threadId())).isNull();

        end.countDown();
        spinning.join();
        while (pool.mountedOn(carrier) != null) {
            Thread.onSpinWait();
        }
        assertThat(reader().read(List.of()).of(carrier.threadId())).isNotNull();
    }

    @Test
    void theAgentsOwnThreadsAreNotRead() {
        Thread own = AgentThread.unstarted("own", task(end::await));
        Thread other = platform("other", end::await);
        start(own);
        awaitState(own, Thread.State.WAITING);
        awaitState(other, Thread.State.WAITING);
        WaitGraph graph = reader().read(List.of());

        assertThat(graph.of(own.threadId())).isNull();
        assertThat(graph.of(other.threadId())).isNotNull();
    }
}
