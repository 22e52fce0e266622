package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParkedForTest {
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread me = Thread.currentThread();
    private Thread waiter = new Thread();

    @AfterEach
    void end() throws InterruptedException {
        waiter.interrupt();
        waiter.join();
    }

    private interface Waiting {
        void run() throws Exception;
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // nothing in between throws, and then it is over
    void aLockIsKnownWithItsOwnerAndItsQueue() {
        lock.lock();
        ParkedFor parked = await(lock::lockInterruptibly);
        lock.unlock();

        assertThat(parked.kind()).isEqualTo(ParkedFor.Kind.SYNCHRONIZER);
        assertThat(parked.name()).startsWith("ReentrantLock@");
        assertThat(parked.owner()).isSameAs(me);
        assertThat(parked.free()).isFalse();
        assertThat(parked.queue()).containsExactly(waiter);
    }

    @Test
    void theOnlyReaderOfALockIsItsOwnerAndOfManyNoneIsKnown() throws InterruptedException {
        ReentrantReadWriteLock readers = new ReentrantReadWriteLock();
        readers.readLock().lock();
        ParkedFor parked = await(readers.writeLock()::lockInterruptibly);
        assertThat(parked.owner()).isSameAs(me);
        end();

        Thread other = Thread.ofVirtual().start(readers.readLock()::lock);
        other.join();
        parked = await(readers.writeLock()::lockInterruptibly);
        assertThat(parked.owner()).isNull();
        assertThat(parked.free()).isFalse();
    }

    @Test
    void aSemaphoreAndALatchHaveNoOwnerAndAreNotFree() {
        Semaphore semaphore = new Semaphore(0);
        CountDownLatch latch = new CountDownLatch(1);
        for (Waiting waiting : new Waiting[] {semaphore::acquire, latch::await}) {
            ParkedFor parked = await(waiting);
            assertThat(parked.owner()).isNull();
            assertThat(parked.free()).isFalse();
            assertThat(parked.queue()).containsExactly(waiter);
            waiter.interrupt();
        }
    }

    @Test
    @SuppressWarnings("WaitNotInLoop") // for what it waits does not matter
    void nothingShowsWhichThreadSignalsACondition() {
        Condition condition = lock.newCondition();
        ParkedFor parked =
                await(
                        () -> {
                            lock.lock();
                            condition.await();
                        });
        assertThat(parked.kind()).isEqualTo(ParkedFor.Kind.CONDITION);
        assertThat(parked.name()).startsWith("ReentrantLock@");
        assertThat(parked.owner()).isNull();
    }

    @Test
    void aTaskIsOwnedByTheThreadThatRunsIt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<?> task =
                new FutureTask<>(
                        () -> {
                            begun.countDown();
                            LockSupport.park();
                        },
                        null);
        Thread running = Thread.ofPlatform().start(task);
        begun.await();
        ParkedFor parked = await(task::get);

        assertThat(parked.kind()).isEqualTo(ParkedFor.Kind.TASK);
        assertThat(parked.owner()).isSameAs(running);
        LockSupport.unpark(running);
        running.join();
    }

    /** It is unparked and gets no carrier. */
    @Test
    @SuppressWarnings("LockNotBeforeTry") // it is waited for in between
    void whatTheFirstOfTheQueueGetsNowIsFree() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        CountDownLatch latch = new CountDownLatch(1);
        ReentrantReadWriteLock readers = new ReentrantReadWriteLock();
        lock.lock();
        readers.writeLock().lock();
        Gate gate = new Gate();

        assertThat(isFree(semaphore::acquire, semaphore::release)).isTrue();
        assertThat(isFree(latch::await, latch::countDown)).isTrue();
        assertThat(isFree(lock::lockInterruptibly, lock::unlock)).isTrue();
        assertThat(isFree(readers.readLock()::lockInterruptibly, readers.writeLock()::unlock))
                .isTrue();
        assertThat(isFree(() -> gate.acquireInterruptibly(1), gate::open))
                .as("a class that the JDK does not have")
                .isFalse();
    }

    /** Its state is 0 while it is closed, and also after that. */
    private static final class Gate extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1;
        private volatile boolean open;

        @Override
        protected boolean tryAcquire(int any) {
            return open;
        }

        void open() {
            open = true;
            release(1);
        }

        @Override
        protected boolean tryRelease(int any) {
            return true;
        }
    }

    private static boolean isFree(Waiting waiting, Runnable release) throws Exception {
        ForkJoinPool scheduler = OwnPool.of(1, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread waits = OwnPool.unstarted(scheduler, () -> run(waiting));
        waits.start();
        while (waits.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        Thread spins =
                OwnPool.unstarted(
                        scheduler,
                        () -> {
                            begun.countDown();
                            while (end.getCount() > 0) {
                                Thread.onSpinWait();
                            }
                        });
        spins.start();
        begun.await();
        boolean before = Objects.requireNonNull(ParkedFor.of(waits)).free();
        release.run();
        ParkedFor parked = Objects.requireNonNull(ParkedFor.of(waits));
        end.countDown();
        waits.join();
        scheduler.shutdown();

        assertThat(before).isFalse();
        assertThat(parked.owner()).isNull();
        assertThat(parked.queue()).containsExactly(waits);
        return parked.free();
    }

    private static void run(Waiting waiting) {
        try {
            waiting.run();
        } catch (Exception over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // it is waited for in between
    void theOwnerOfABlockerIsKnownWithoutItsQueue() throws InterruptedException {
        ReentrantReadWriteLock readers = new ReentrantReadWriteLock();
        readers.readLock().lock();
        assertThat(ParkedFor.ownerOf(blocker(readers.writeLock()::lockInterruptibly))).isSameAs(me);
        end();
        readers.readLock().lock();
        assertThat(ParkedFor.ownerOf(blocker(readers.writeLock()::lockInterruptibly)))
                .as("twice the same reader")
                .isSameAs(me);
        end();
        lock.lock();
        assertThat(ParkedFor.ownerOf(blocker(lock::lockInterruptibly))).isSameAs(me);
        end();
        assertThat(ParkedFor.ownerOf(blocker(new Semaphore(0)::acquire))).isNull();
        assertThat(ParkedFor.ownerOf("else")).isNull();
        assertThat(ParkedFor.ownerOf(new FutureTask<>(() -> "")))
                .as("a task that does not run")
                .isNull();
    }

    private Object blocker(Waiting waiting) {
        ParkedFor unused = await(waiting);
        return Objects.requireNonNull(LockSupport.getBlocker(waiter));
    }

    @Test
    void aConditionIsOfItsLockAndAnythingElseIsItself() {
        Gate gate = new Gate();
        LongGate longGate = new LongGate();

        assertThat(ParkedFor.lockOf(gate.new ConditionObject())).isSameAs(gate);
        assertThat(ParkedFor.lockOf(longGate.new ConditionObject())).isSameAs(longGate);
        assertThat(ParkedFor.lockOf(gate)).isSameAs(gate);
    }

    private static final class LongGate extends AbstractQueuedLongSynchronizer {
        private static final long serialVersionUID = 1;
    }

    @Test
    void ofAThreadThatIsParkedForSomethingElseNothingIsKnown() {
        waiter = Thread.ofPlatform().start(() -> LockSupport.park("else"));
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(ParkedFor.of(waiter)).isNull();
        LockSupport.unpark(waiter);
    }

    private ParkedFor await(Waiting waiting) {
        waiter = Thread.ofPlatform().start(() -> run(waiting));
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return Objects.requireNonNull(ParkedFor.of(waiter));
    }
}
