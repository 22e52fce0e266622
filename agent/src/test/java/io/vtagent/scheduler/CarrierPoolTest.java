package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread of the agent's on the application's scheduler, which here has one carrier. */
class CarrierPoolTest {
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
