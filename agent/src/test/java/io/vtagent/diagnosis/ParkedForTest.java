package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
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
        waiter =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        waiting.run();
                                    } catch (Exception over) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return Objects.requireNonNull(ParkedFor.of(waiter));
    }
}
