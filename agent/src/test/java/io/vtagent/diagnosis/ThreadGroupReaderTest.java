package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.jvm.OwnPool;
import io.vtagent.sampler.HeldCarriers;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadGroupReaderTest {
    private static final String OWN = ThreadGroupReaderTest.class.getName() + ".";
    private static final long MINUTE = 60_000_000_000L;

    private final ThreadGroupReader reader;
    private final List<Thread> started = new ArrayList<>();

    ThreadGroupReaderTest() throws ReflectiveOperationException {
        reader = new ThreadGroupReader(CarrierPool.ofThisJvm(), new FramesOfInterest(64));
    }

    @AfterEach
    void interruptAll() throws InterruptedException {
        started.forEach(Thread::interrupt);
        for (Thread thread : started) {
            thread.join();
        }
    }

    private interface Blocking {
        void run() throws InterruptedException;
    }

    /** Starts threads that wait, and returns when they do. */
    private void start(int count, String name, Blocking blocking) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .name(name, i)
                            .start(
                                    () -> {
                                        try {
                                            blocking.run();
                                        } catch (InterruptedException over) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }));
        }
        started.addAll(threads);
        await().until(
                        () ->
                                threads.stream()
                                        .allMatch(
                                                thread ->
                                                        thread.getState() == Thread.State.WAITING
                                                                || thread.getState()
                                                                        == Thread.State
                                                                                .TIMED_WAITING));
    }

    private ThreadGroups read(int maxStacks) {
        return Objects.requireNonNull(reader.read(maxStacks, System.nanoTime() + MINUTE));
    }

    @Test
    void threadsThatWaitForEachOtherWithoutALimitAreADeadlock() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        start(1, "one-", () -> lockBoth(one, other, both));
        start(1, "other-", () -> lockBoth(other, one, both));
        start(1, "behind-", one::lockInterruptibly);

        ThreadGroups.Deadlock deadlock = Objects.requireNonNull(read(100).deadlock());

        assertThat(deadlock.place()).startsWith(OWN + "lockBoth:");
        assertThat(deadlock.links()).hasSize(2);
        assertThat(deadlock.links())
                .extracting(Diagnosis.Link::thread)
                .anyMatch(thread -> thread.startsWith("\"one-0\""))
                .anyMatch(thread -> thread.startsWith("\"other-0\""));
        assertThat(deadlock.links().get(0).has()).isEqualTo(deadlock.links().get(1).waitsFor());
        assertThat(deadlock.links().get(1).has()).isEqualTo(deadlock.links().get(0).waitsFor());
    }

    @Test
    void aDeadlockMayHaveAPlatformThreadAndBeBehindAWaiter() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        Thread platform = new Thread(() -> lockBothUntilInterrupted(one, other, both), "io");
        platform.start();
        started.add(platform);
        start(1, "behind-", () -> waitFor(one, platform));
        start(1, "other-", () -> lockBoth(other, one, both));

        ThreadGroups.Deadlock deadlock = Objects.requireNonNull(read(100).deadlock());

        assertThat(deadlock.place()).startsWith(OWN + "lockBoth:");
        assertThat(deadlock.links())
                .extracting(Diagnosis.Link::thread)
                .anyMatch(thread -> thread.startsWith("\"io\""))
                .anyMatch(thread -> thread.startsWith("\"other-0\""));
    }

    private static void waitFor(ReentrantLock lock, Thread owner) throws InterruptedException {
        while (!lock.isLocked() && owner.isAlive()) {
            Thread.onSpinWait();
        }
        lock.lockInterruptibly();
    }

    private static void lockBothUntilInterrupted(
            ReentrantLock first, ReentrantLock second, CountDownLatch both) {
        try {
            lockBoth(first, second, both);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** All wait at one line, the first of them for a lock that is not part of the deadlock. */
    @Test
    void aDeadlockIsFoundAmongThreadsThatWaitForOtherLocksAtTheSameLine() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        ReentrantLock busy = new ReentrantLock();
        CountDownLatch locked = new CountDownLatch(1);
        start(
                1,
                "busy-",
                () -> {
                    busy.lock();
                    locked.countDown();
                    new CountDownLatch(1).await();
                });
        start(30, "unrelated-", () -> lockBoth(new ReentrantLock(), busy, locked));
        CountDownLatch both = new CountDownLatch(2);
        start(1, "one-", () -> lockBoth(one, other, both));
        start(1, "other-", () -> lockBoth(other, one, both));

        assertThat(read(100).deadlock()).isNotNull();
    }

    /** A thread keeps its blocker until it runs again, which may be long after its time limit. */
    @Test
    void aThreadThatIsReadyToRunIsNotInADeadlock() throws InterruptedException {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        start(1, "one-", () -> lockBoth(one, other, both));
        start(1, "other-", () -> lockBoth(other, one, both));
        assertThat(read(100).deadlock()).isNotNull();

        try (HeldCarriers all = new HeldCarriers()) {
            assertThat(all.pool().carriers()).isNotEmpty();
            LockSupport.unpark(started.getFirst());

            assertThat(read(100).deadlock()).isNull();
        }
    }

    @Test
    void threadsThatWaitForEachOtherWithALimitAreNoDeadlock() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        start(1, "one-", () -> lockBoth(one, other, both));
        start(
                1,
                "other-",
                () -> {
                    other.lock();
                    both.countDown();
                    both.await();
                    if (!one.tryLock(1, TimeUnit.HOURS)) {
                        throw new AssertionError("an hour has passed");
                    }
                });

        assertThat(read(100).deadlock()).isNull();
    }

    @Test
    void threadsThatWaitForOneThatRunsOnAreNoDeadlock() {
        ReentrantLock one = new ReentrantLock();
        start(
                1,
                "has-",
                () -> {
                    one.lock();
                    new CountDownLatch(1).await();
                });
        start(2, "wants-", one::lockInterruptibly);

        assertThat(read(100).deadlock()).isNull();
    }

    private static void lockBoth(ReentrantLock first, ReentrantLock second, CountDownLatch both)
            throws InterruptedException {
        first.lock();
        both.countDown();
        both.await();
        second.lockInterruptibly();
    }

    private static Group at(ThreadGroups threads, String method) {
        return threads.groups().stream()
                .filter(group -> group.place().startsWith(OWN + method + ":"))
                .findFirst()
                .orElseThrow();
    }

    private static void acquire(Semaphore semaphore) throws InterruptedException {
        semaphore.acquire();
    }

    private static void lock(ReentrantLock lock) throws InterruptedException {
        lock.lockInterruptibly();
        lock.unlock();
    }

    private static void signalled(ReentrantLock lock, Condition condition)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (lock.isLocked()) {
                condition.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void sleep() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void park() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    @Test
    void threadsWithTheSameStackAreAGroupWithTheirLock() {
        Semaphore semaphore = new Semaphore(0);
        start(40, "waits-", () -> acquire(semaphore));

        ThreadGroups threads = read(2_000);
        Group group = at(threads, "acquire");

        assertThat(threads.moved()).isZero();
        assertThat(group.state()).isEqualTo(State.PARKED);
        assertThat(group.count()).isEqualTo(40);
        assertThat(group.sampled()).isEqualTo(40);
        assertThat(group.waitsFor()).isEqualTo("Semaphore");
        assertThat(group.operation()).isEqualTo("java.util.concurrent.Semaphore.acquire");
        assertThat(group.lock()).startsWith("Semaphore@");
        assertThat(group.locks()).isEqualTo(1);
        assertThat(group.owner()).isNull();
        assertThat(group.container()).isEmpty();
        assertThat(group.example()).startsWith("waits-");
        assertThat(started.stream().map(Thread::threadId)).contains(group.exampleId());
        assertThat(group.frames()).anyMatch(frame -> frame.startsWith(OWN + "acquire("));
    }

    @Test
    void theOwnerOfALockIsNamed() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            start(3, "locks-", () -> lock(lock));

            Group group = at(read(2_000), "lock");

            assertThat(group.waitsFor()).isEqualTo("ReentrantLock");
            assertThat(group.owner())
                    .isEqualTo(
                            "\""
                                    + Thread.currentThread().getName()
                                    + "\" #"
                                    + Thread.currentThread().threadId());
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aConditionIsOfItsLock() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        start(2, "signalled-", () -> signalled(lock, condition));

        Group group = at(read(2_000), "signalled");

        assertThat(group.waitsFor()).isEqualTo("condition of ReentrantLock");
        assertThat(group.lock()).startsWith("ReentrantLock@");
        assertThat(group.owner()).isNull();
    }

    @Test
    void sleepersAndParkedThreadsAreDistinguished() {
        start(4, "sleeps-", ThreadGroupReaderTest::sleep);
        start(5, "parks-", ThreadGroupReaderTest::park);

        ThreadGroups threads = read(2_000);

        assertThat(at(threads, "sleep").state()).isEqualTo(State.SLEEPING);
        assertThat(at(threads, "sleep").waitsFor()).isEqualTo("sleep");
        assertThat(at(threads, "sleep").count()).isEqualTo(4);
        assertThat(at(threads, "park").state()).isEqualTo(State.PARKED);
        assertThat(at(threads, "park").waitsFor()).isEqualTo("park");
        assertThat(at(threads, "park").lock()).isNull();
        assertThat(at(threads, "park").count()).isEqualTo(5);
    }

    @Test
    void theTimeInAPlaceCountsFromTheFirstReadingThatFoundAThreadThere() {
        Semaphore semaphore = new Semaphore(0);
        start(3, "stays-", () -> acquire(semaphore));
        long beganNanos = System.nanoTime();
        assertThat(at(read(2_000), "acquire").longestNanos()).isZero();

        long longest = at(read(2_000), "acquire").longestNanos();

        assertThat(longest).isPositive().isLessThanOrEqualTo(System.nanoTime() - beganNanos);
        assertThat(at(read(2_000), "acquire").longestNanos()).isGreaterThan(longest);
    }

    @Test
    void aThreadThatWentOnCountsAnew() {
        Semaphore first = new Semaphore(0);
        Semaphore second = new Semaphore(0);
        start(
                1,
                "moves-",
                () -> {
                    acquire(first);
                    acquire(second);
                });
        ThreadGroups unused = read(2_000);
        first.release();
        await().until(second::hasQueuedThreads);

        assertThat(at(read(2_000), "acquire").longestNanos()).isZero();
    }

    @Test
    void aSampleIsExtrapolated() {
        Semaphore semaphore = new Semaphore(0);
        start(300, "many-", () -> acquire(semaphore));

        ThreadGroups threads = read(30);

        assertThat(threads.isSample()).isTrue();
        assertThat(threads.sampled()).isEqualTo(30);
        assertThat(threads.waiting()).isGreaterThanOrEqualTo(300);
        Group group = at(threads, "acquire");
        assertThat(group.sampled()).isBetween(20, 30);
        assertThat((double) group.count())
                .isCloseTo((double) group.sampled() * threads.waiting() / 30, within(0.5));
    }

    @Test
    void whatCanBeReadIsKnownWhileAReadingIsInProgress() {
        CompletableFuture<@Nullable String> failure;
        synchronized (reader) { // as a reading does
            failure = CompletableFuture.supplyAsync(reader::failure);
            assertThat(failure).succeedsWithin(Duration.ofMinutes(1)).isNull();
        }
    }

    @Test
    void nothingIsReadAfterTheDeadline() {
        Semaphore semaphore = new Semaphore(0);
        start(3, "late-", () -> acquire(semaphore));

        ThreadGroups threads = Objects.requireNonNull(reader.read(2_000, System.nanoTime() - 1));

        assertThat(threads.sampled()).isZero();
        assertThat(threads.waiting()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aThreadThatIsUnparkedWhileItsStackIsReadGoesOn() throws InterruptedException {
        int rounds = 2_000;
        CountDownLatch done = new CountDownLatch(1);
        Thread parks =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < rounds; i++) {
                                        LockSupport.park();
                                    }
                                    done.countDown();
                                });
        Thread unparks =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    while (parks.isAlive()) {
                                        LockSupport.unpark(parks);
                                    }
                                });
        int readings = 0;
        while (done.getCount() > 0) {
            ThreadGroups unused = read(2_000);
            readings++;
        }

        parks.join();
        unparks.join();
        assertThat(readings).isPositive();
    }

    @Test
    void aLostThreadIsReportedWithTheTimeSinceItWasFound() throws Exception {
        ForgetfulPool scheduler = new ForgetfulPool();
        Thread lost = OwnPool.unstarted(scheduler, () -> {});
        lost.setName("lost");
        scheduler.forget();
        lost.start();
        try {
            ThreadGroupReader ofPool =
                    new ThreadGroupReader(OwnPool.seen(scheduler), new FramesOfInterest(64));
            long beganNanos = System.nanoTime();
            ThreadGroups first = read(ofPool, 10);
            ThreadGroups second = read(ofPool, 10);

            assertThat(first.total()).isEqualTo(first.mounted() + first.waiting() + 1);
            assertThat(first.queued()).isZero();
            assertThat(first.groups()).noneMatch(group -> group.state() == State.QUEUED);
            Group group = in(first, State.LOST);
            assertThat(group.count()).isEqualTo(1);
            assertThat(group.example()).isEqualTo("lost");
            assertThat(group.exampleId()).isEqualTo(lost.threadId());
            assertThat(in(second, State.LOST).longestNanos())
                    .isGreaterThan(group.longestNanos())
                    .isLessThan(System.nanoTime() - beganNanos);
        } finally {
            scheduler.remember();
            lost.join();
            scheduler.shutdown();
        }
    }

    @Test
    void threadsOnCarriersAreAGroupAndThoseThatAreReadyAreCounted() throws Exception {
        ForkJoinPool scheduler = OwnPool.of(2, 2);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Thread thread = OwnPool.unstarted(scheduler, () -> spin(begun, end));
            threads.add(thread);
            thread.start();
            if (i == 1) {
                begun.await();
            }
        }
        start(1, "waits-", ThreadGroupReaderTest::park);
        try {
            ThreadGroupReader ofPool =
                    new ThreadGroupReader(OwnPool.seen(scheduler), new FramesOfInterest(64));
            long beganNanos = System.nanoTime();
            ThreadGroups read = read(ofPool, 10);

            assertThat(read.tookNanos()).isBetween(1L, System.nanoTime() - beganNanos);
            assertThat(read.isComplete()).isTrue();
            assertThat(read.mounted()).isEqualTo(2);
            assertThat(read.queued()).isEqualTo(3);
            assertThat(read.total()).isEqualTo(5 + read.waiting());
            assertThat(read.waiting()).isPositive();
            Group mounted = in(read, State.MOUNTED);
            assertThat(mounted.place()).startsWith(OWN + "spin:");
            assertThat(mounted.count()).isEqualTo(2);
            assertThat(mounted.sampled()).isEqualTo(2);
            assertThat(in(read, State.QUEUED).count()).isEqualTo(3);
        } finally {
            end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            scheduler.shutdown();
        }
    }

    private static void spin(CountDownLatch begun, CountDownLatch end) {
        begun.countDown();
        while (end.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static ThreadGroups read(ThreadGroupReader reader, int maxStacks) {
        return Objects.requireNonNull(reader.read(maxStacks, System.nanoTime() + MINUTE));
    }

    private static Group in(ThreadGroups threads, State state) {
        return threads.groups().stream()
                .filter(group -> group.state() == state)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theLargestGroupIsFirst() {
        Semaphore semaphore = new Semaphore(0);
        ReentrantLock lock = new ReentrantLock();
        start(2, "sleeps-", ThreadGroupReaderTest::sleep);
        start(6, "parks-", ThreadGroupReaderTest::park);
        start(4, "acquires-", () -> acquire(semaphore));
        start(3, "signalled-", () -> signalled(lock, lock.newCondition()));

        assertThat(read(2_000).groups())
                .extracting(Group::count)
                .isSortedAccordingTo(Comparator.reverseOrder())
                .contains(2L, 6L, 4L, 3L);
    }

    @Test
    void theExecutorOfMostThreadsIsNamed() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
                Future<?> unused = executor.submit(ThreadGroupReaderTest::park);
            }
            await().until(
                            () ->
                                    read(2_000).groups().stream()
                                            .anyMatch(
                                                    group ->
                                                            group.place().startsWith(OWN + "park:")
                                                                    && group.count() == 3));
            Group group = at(read(2_000), "park");

            assertThat(group.container()).contains("ThreadPerTaskExecutor@");
            assertThat(group.containers()).isEqualTo(1);
            executor.shutdownNow();
        }
    }

    @Test
    void theAgentsOwnThreadIsNotCounted() throws ReflectiveOperationException {
        start(3, "parks-", ThreadGroupReaderTest::park);
        CarrierPool pool = CarrierPool.ofThisJvm();
        ThreadGroupReader ofPool = new ThreadGroupReader(pool, new FramesOfInterest(64));
        assertThat(at(read(ofPool, 2_000), "park").count()).isEqualTo(3);

        pool.exclude(started.getFirst());

        assertThat(at(read(ofPool, 2_000), "park").count()).isEqualTo(2);
    }

    @Test
    void afterTheDeadlineNotAllThreadsAreVisited() {
        start(2_000, "parks-", ThreadGroupReaderTest::park);

        ThreadGroups threads = Objects.requireNonNull(reader.read(10, System.nanoTime() - 1));

        assertThat(threads.isComplete()).isFalse();
        assertThat(threads.waiting()).isLessThan(2_000);
        assertThat(read(10).isComplete()).isTrue();
    }

    @Test
    void aThreadThatOftenBecomesReadyIsNotLost() {
        for (int i = 0; i < 4; i++) {
            started.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        while (!Thread.currentThread().isInterrupted()) {
                                            LockSupport.parkNanos(1);
                                        }
                                    }));
        }
        int found = 0;
        for (int i = 0; i < 200; i++) {
            ThreadGroups threads = read(10);
            found += threads.queued() + threads.mounted() > 0 ? 1 : 0;

            assertThat(threads.groups()).noneMatch(group -> group.state() == State.LOST);
        }
        assertThat(found).isPositive();
    }

    @Test
    void placesJoinTheGroupsOfALine() {
        Semaphore semaphore = new Semaphore(0);
        start(4, "one-", () -> acquire(semaphore));
        start(6, "other-", () -> acquire(semaphore));

        ThreadGroups threads = read(2_000);

        assertThat(threads.groups().stream().filter(group -> group.place().contains("acquire")))
                .hasSize(2);
        ThreadGroups.Place place = threads.places().getFirst();
        assertThat(place.at()).startsWith(OWN + "acquire:");
        assertThat(place.waitsFor()).isEqualTo("Semaphore");
        assertThat(place.count()).isEqualTo(10);
        assertThat(place.largest().count()).isEqualTo(6);
    }
}
