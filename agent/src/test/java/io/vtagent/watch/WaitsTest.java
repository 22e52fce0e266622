package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.Locks;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class WaitsTest {
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final CarrierPool pool = CarrierPool.ofThisJvm();

    WaitsTest() throws ReflectiveOperationException {}

    @Test
    void threadsThatWaitForEachOtherAreFoundFromOneThatWaitsForOneOfThem() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Thread hasLock = new Thread(() -> enterWithLock(both), "has-lock");
        Thread hasMonitor = new Thread(() -> lockInMonitor(both), "has-monitor");
        hasLock.start();
        hasMonitor.start();
        Thread waiter = Thread.ofVirtual().unstarted(this::takeLock);
        both.await();
        waiter.start();
        await(hasLock, Thread.State.BLOCKED);
        await(hasMonitor, Thread.State.WAITING);
        await(waiter, Thread.State.WAITING);

        Waits waits = new Waits(pool);
        Waits.Wait wait = Objects.requireNonNull(waits.of(waiter, null));
        assertThat(Objects.requireNonNull(wait.lock()).queue()).containsExactlyInAnyOrder(hasMonitor, waiter);
        assertThat(wait.owner()).isEqualTo(Who.of(hasLock));
        assertThat(waits.circleFrom(waiter))
                .containsExactly(
                        new Waits.Link(Who.of(hasLock), wait.name(), Locks.nameOf(monitor)),
                        new Waits.Link(Who.of(hasMonitor), Locks.nameOf(monitor), wait.name()))
                .isEqualTo(waits.circleFrom(hasLock))
                .isEqualTo(new Waits(pool).circleFrom(waiter));

        hasMonitor.interrupt();
        for (Thread thread : new Thread[] {hasLock, hasMonitor, waiter}) {
            thread.join();
        }
        assertThat(new Waits(pool).circleFrom(waiter)).as("when it is over").isEmpty();
    }

    @Test
    void whoWaitsForNobodyIsInNoCircle() throws InterruptedException {
        Semaphore semaphore = new Semaphore(0);
        Thread waiter = Thread.ofVirtual().start(semaphore::acquireUninterruptibly);
        await(waiter, Thread.State.WAITING);
        Waits waits = new Waits(pool);
        assertThat(Objects.requireNonNull(waits.of(waiter, null)).owner()).isNull();
        assertThat(waits.circleFrom(waiter)).isEmpty();
        semaphore.release();
        waiter.join();
        assertThat(new Waits(pool).of(waiter, null)).isNull();
    }

    @Test
    void whoseMonitorIsHisOwnByNowWaitsForNobody() {
        synchronized (monitor) {
            Waits waits = new Waits(pool);
            Waits.Wait wait = Objects.requireNonNull(waits.of(Thread.currentThread(), monitor));
            assertThat(Objects.requireNonNull(wait.owner()).id())
                    .isEqualTo(Thread.currentThread().threadId());
            assertThat(waits.circleFrom(Thread.currentThread())).isEmpty();
        }
    }

    private void enterWithLock(CountDownLatch both) {
        lock.lock();
        try {
            meet(both);
            synchronized (monitor) {
                Thread.onSpinWait();
            }
        } finally {
            lock.unlock();
        }
    }

    private void lockInMonitor(CountDownLatch both) {
        synchronized (monitor) {
            meet(both);
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt(); // and leaves the monitor
            }
        }
    }

    private void takeLock() {
        lock.lock();
        try {
            Thread.onSpinWait(); // nothing that lasts
        } finally {
            lock.unlock();
        }
    }

    private static void meet(CountDownLatch both) {
        both.countDown();
        while (both.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }
}
