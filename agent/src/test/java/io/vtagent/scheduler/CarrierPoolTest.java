package io.vtagent.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the agent's on the application's scheduler, which here has one carrier. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CarrierPoolTest {
    private final Thread older = new Thread();
    private final ForkJoinPool scheduler = OwnPool.of(1, 1);
    private final ThreadFactory threads = OwnPool.virtualThreads(scheduler);
    private final CarrierPool pool;
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile boolean end;

    CarrierPoolTest() throws ReflectiveOperationException {
        pool = OwnPool.seen(scheduler);
    }

    @AfterEach
    void end() {
        end = true;
        scheduler.shutdown();
    }

    @Test
    void whileItWaitsForACarrierNobodyDoes() throws InterruptedException {
        run(threads.newThread(this::spin));
        Thread own = threads.newThread(() -> {});
        pool.exclude(own);
        own.start();

        assertThat(pool.queued()).isZero();
        assertThat(pool.isWorkQueued()).isFalse();
        assertThat(pool.queuedThreads(10)).isEmpty();

        Thread application = threads.newThread(() -> {});
        application.start();

        assertThat(pool.queued()).isEqualTo(1);
        assertThat(pool.isWorkQueued()).isTrue();
        assertThat(pool.queuedThreads(10)).containsExactly(application);
    }

    @Test
    void beforeItIsStartedAndAfterItHasEndedEveryOneThatWaitsIsTheApplications()
            throws InterruptedException {
        Thread own = threads.newThread(() -> {});
        pool.exclude(own);
        own.start();
        own.join();
        run(threads.newThread(this::spin));
        threads.newThread(() -> {}).start();
        assertThat(pool.queued()).isEqualTo(1);

        pool.exclude(threads.newThread(() -> {}));
        assertThat(pool.queued()).isEqualTo(1);
    }

    @Test
    void theCarrierThatCarriesItCarriesNobody() throws InterruptedException {
        Thread thread = threads.newThread(this::spin);
        run(thread);
        List<Thread> carriers = pool.carriers();

        assertThat(carriers).hasSize(1);
        assertThat(pool.mountedOn(carriers.getFirst())).isSameAs(thread);
        pool.exclude(thread);
        assertThat(pool.mountedOn(carriers.getFirst())).isNull();
        assertThat(pool.queued()).isZero();
        threads.newThread(() -> {}).start();
        assertThat(pool.queued()).isEqualTo(1);
    }

    @Test
    void aCarrierThatWaitsInATaskWhichIsNoVirtualThreadIsBlockedAndOneThatIsIdleIsNot() {
        CountDownLatch latch = new CountDownLatch(1);
        scheduler.execute(
                () -> {
                    try {
                        latch.await();
                    } catch (InterruptedException over) {
                        Thread.currentThread().interrupt();
                    }
                });
        awaitCarrier(Thread.State.WAITING);
        Thread carrier = pool.carriers().getFirst();
        assertThat(pool.isBlockedInTask(carrier)).isTrue();
        assertThat(pool.mountedOn(carrier)).isNull();

        latch.countDown();
        while (pool.isBlockedInTask(carrier) || scheduler.getActiveThreadCount() > 0) {
            Thread.onSpinWait();
        }
        awaitCarrier(Thread.State.WAITING, Thread.State.TIMED_WAITING);
        assertThat(pool.isBlockedInTask(carrier)).isFalse();
    }

    @Test
    void whileItIsParkedItWaitsForNoCarrier() {
        Thread own = threads.newThread(this::park);
        pool.exclude(own);
        own.start();
        await(() -> own.getState() == Thread.State.WAITING);

        assertThat(pool.queued()).isZero();
        end = true;
        LockSupport.unpark(own);
    }

    @Test
    void itIsNotCountedAmongTheThreadsThatAreAlive() {
        assertThat(pool.aliveWithoutExcluded(7)).as("none is excluded").isEqualTo(7);
        Thread own = threads.newThread(this::park);
        pool.exclude(own);
        assertThat(pool.isExcluded(own)).isTrue();
        assertThat(pool.isExcluded(threads.newThread(() -> {}))).isFalse();
        assertThat(pool.aliveWithoutExcluded(7)).as("it is not started").isEqualTo(7);

        own.start();

        assertThat(pool.aliveWithoutExcluded(7)).isEqualTo(6);
        assertThat(pool.aliveWithoutExcluded(0)).isZero();
        end = true;
        LockSupport.unpark(own);
    }

    @Test
    void aPoolIsUsedFromItsFirstCarrierOnAndStaysSoWithoutOne() throws InterruptedException {
        CarrierPool.Found found = new CarrierPool.Found(pool, "");
        assertThat(pool.isUsed()).isFalse();
        assertThat(pool.size()).isZero();
        assertThat(found.hasCarriers()).isFalse();

        run(threads.newThread(this::spin));
        assertThat(pool.size()).isEqualTo(1);
        assertThat(found.hasCarriers()).isTrue();
        assertThat(pool.isUsed()).isTrue();

        end = true;
        scheduler.shutdown();
        await(scheduler::isTerminated);
        await(() -> pool.size() == 0);
        assertThat(pool.hasCarriers()).isFalse();
        assertThat(pool.mounts()).isPositive();
        assertThat(pool.isUsed()).isTrue();
    }

    @Test
    void aPoolThatIsNotKnownMayHaveCarriers() {
        assertThat(new CarrierPool.Found(null, "unknown").hasCarriers()).isTrue();
    }

    @Test
    void theSchedulerOfThisJvmIsFound() throws InterruptedException {
        CarrierPool.Found found = CarrierPool.find();

        assertThat(found.failure()).isEmpty();
        CarrierPool ofThisJvm = requireNonNull(found.pool());
        Thread thread = Thread.ofVirtual().start(() -> {});
        assertThat(ofThisJvm.schedules(thread)).isTrue();
        thread.join();
        assertThat(ofThisJvm.schedules(threads.newThread(() -> {}))).isFalse();
        assertThat(pool.schedules(threads.newThread(() -> {}))).isTrue();
    }

    @Test
    void aCarrierIsAWorkerOfThisPool() throws InterruptedException {
        run(threads.newThread(this::spin));
        Thread carrier = pool.carriers().getFirst();

        assertThat(pool.isCarrier(carrier)).isTrue();
        assertThat(pool.isCarrier(Thread.currentThread())).isFalse();
        ForkJoinPool another = OwnPool.of(1, 1);
        Thread worker = another.submit(Thread::currentThread).join();
        assertThat(pool.isCarrier(worker)).isFalse();
        another.shutdown();
    }

    @Test
    void aCarrierThatWasAddedLaterIsNotOlder() throws InterruptedException {
        run(threads.newThread(this::spin));

        assertThat(pool.isOlderThanThis(pool.carriers().getFirst())).isFalse();
        assertThat(pool.isOlderThanThis(older)).isTrue();
    }

    @Test
    void aPoolIsSettledIfItsCarrierHasAThreadOrIsIdle() throws InterruptedException {
        run(threads.newThread(this::spin));
        assertThat(pool.isSettled()).isTrue();
        assertThat(pool.mounted()).isEqualTo(1);
        assertThat(pool.atWork()).isEqualTo(1);
        end = true;

        await(pool::isSettled);
        await(() -> pool.mounted() == 0);
    }

    @Test
    void aPoolIsNotSettledWhileItsCarrierRunsSomethingElse() throws InterruptedException {
        scheduler.execute(this::spin);
        begun.await();

        assertThat(pool.isSettled()).isFalse();
        assertThat(pool.mounted()).isZero();
    }

    @Test
    void aTaskThatIsNoVirtualThreadIsWorkOnlyIfItIsNotTheOnlyOne() throws InterruptedException {
        run(threads.newThread(this::spin));
        assertThat(pool.isWorkQueued()).isFalse();

        scheduler.execute(() -> {});
        assertThat(pool.queued()).isEqualTo(1);
        assertThat(pool.isWorkQueued()).as("it may be gone already").isFalse();

        scheduler.execute(() -> {});
        assertThat(pool.isWorkQueued()).isTrue();
    }

    @Test
    void noMoreQueuedThreadsAreListedThanAskedFor() throws InterruptedException {
        run(threads.newThread(this::spin));
        threads.newThread(() -> {}).start();
        threads.newThread(() -> {}).start();

        assertThat(pool.queuedThreads(1)).hasSize(1);
        assertThat(pool.queuedThreads(2)).hasSize(2);
    }

    /** A task that only refers to another one. */
    private record Wrapper(Runnable task) implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    void aThreadIsFoundInAFewWrappersOfATask() throws InterruptedException {
        run(threads.newThread(this::spin));
        Thread thread = threads.newThread(() -> {});

        // the pool adds one wrapper more
        scheduler.execute(new Wrapper(new Wrapper(new Wrapper(thread))));
        assertThat(pool.queuedThreads(1)).containsExactly(thread);
        end = true;
        await(() -> pool.queued() == 0);
    }

    @Test
    void aThreadIsNotSearchedForInManyWrappersOfATask() throws InterruptedException {
        run(threads.newThread(this::spin));
        Thread thread = threads.newThread(() -> {});

        scheduler.execute(new Wrapper(new Wrapper(new Wrapper(new Wrapper(thread)))));

        assertThat(pool.queuedThreads(1)).isEmpty();
    }

    @Test
    void aThreadThatRestsParksAsAnIdleCarrierDoes() {
        Thread resting =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    while (!end) {
                                        pool.rest(Long.MAX_VALUE);
                                    }
                                });
        await(() -> resting.getState() == Thread.State.TIMED_WAITING);

        assertThat(LockSupport.getBlocker(resting)).isSameAs(scheduler);
        end = true;
        LockSupport.unpark(resting);
    }

    @Test
    void theLimitsFollowFromTheParallelism() throws ReflectiveOperationException {
        assertThat(pool.parallelism()).isEqualTo(1);
        assertThat(pool.minRunnable()).isEqualTo(1);
        assertThat(pool.max()).isEqualTo(256);

        CarrierPool large = OwnPool.seen(OwnPool.of(300, 300));
        assertThat(large.parallelism()).isEqualTo(300);
        assertThat(large.minRunnable()).isEqualTo(150);
        assertThat(large.max()).isEqualTo(300);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private void park() {
        while (!end) {
            LockSupport.park();
        }
    }

    private void awaitCarrier(Thread.State... wanted) {
        while (pool.carriers().isEmpty()
                || !List.of(wanted).contains(pool.carriers().getFirst().getState())) {
            Thread.onSpinWait();
        }
    }

    private void run(Thread thread) throws InterruptedException {
        thread.start();
        begun.await();
    }

    private void spin() {
        begun.countDown();
        while (!end) {
            Thread.onSpinWait();
        }
    }
}
