package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompensationTest {
    private final List<ForkJoinPool> schedulers = new ArrayList<>();
    private volatile boolean end;

    @AfterEach
    void end() {
        end = true;
        schedulers.forEach(ForkJoinPool::shutdown);
    }

    @Test
    void aWaitingThreadRunsOnASpareCarrierWhileTheOnlyOneIsCompensatedFor()
            throws ReflectiveOperationException, InterruptedException {
        ForkJoinPool scheduler = schedulerWithHeldCarriers(1, 2);
        Thread waiting = OwnPool.unstarted(scheduler, () -> {});
        waiting.start();
        Compensation compensation = OwnPool.seen(scheduler).compensation();

        long begun = compensation.begin();
        waiting.join();

        assertThat(begun).isNotZero();
        assertThat(scheduler.getPoolSize()).isEqualTo(2);
        compensation.end(begun);
    }

    @Test
    void theSchedulerRefusesOnceItHasItsMaximumOfCarriers()
            throws ReflectiveOperationException, InterruptedException {
        ForkJoinPool scheduler = schedulerWithHeldCarriers(1, 1);

        assertThat(OwnPool.seen(scheduler).compensation().begin()).isZero();
    }

    @Test
    void aCarrierCountsAsBlockedUntilTheCompensationEnds()
            throws ReflectiveOperationException, InterruptedException {
        ForkJoinPool scheduler = schedulerWithHeldCarriers(2, 2);
        CarrierPool pool = OwnPool.seen(scheduler);
        Compensation compensation = pool.compensation();
        compensation.warmUp();
        assertThat(pool.atWork()).isEqualTo(2);

        long begun = compensation.begin();
        assertThat(pool.atWork()).isEqualTo(1);
        compensation.end(begun);
        assertThat(pool.atWork()).isEqualTo(2);
    }

    /** Returns a scheduler all of whose carriers run a virtual thread until the test ends. */
    private ForkJoinPool schedulerWithHeldCarriers(int carriers, int max)
            throws InterruptedException {
        ForkJoinPool scheduler = OwnPool.of(carriers, max);
        schedulers.add(scheduler);
        ThreadFactory threads = OwnPool.virtualThreads(scheduler);
        CountDownLatch begun = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            threads.newThread(
                            () -> {
                                begun.countDown();
                                while (!end) {
                                    Thread.onSpinWait();
                                }
                            })
                    .start();
        }
        begun.await();
        return scheduler;
    }
}
