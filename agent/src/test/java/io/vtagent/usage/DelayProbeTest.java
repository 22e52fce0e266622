package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.jvm.OwnPool;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import io.vtagent.scheduler.CarrierPool;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests on a scheduler with one carrier, and with a clock that the test sets. */
class DelayProbeTest {
    private static final CarrierStartSignal ARRIVALS = new CarrierStartSignal();

    private final ForkJoinPool scheduler = OwnPool.of(1, 1);
    private final ForkJoinPool closed = OwnPool.of(1, 1);
    private final ThreadFactory threads = OwnPool.virtualThreads(scheduler);
    private final AtomicLong nowNanos = new AtomicLong(1_000);
    private final CountDownLatch held = new CountDownLatch(1);
    private final CarrierPool pool;
    private final DelayProbe probe;
    private volatile boolean released;
    private ThreadFactory threadsOfProbe = threads;

    DelayProbeTest() throws ReflectiveOperationException {
        pool = OwnPool.seen(scheduler);
        probe =
                new DelayProbe(
                        pool,
                        ARRIVALS,
                        1,
                        Buckets.SINGLE,
                        task -> threadsOfProbe.newThread(task),
                        nowNanos::get);
    }

    @AfterEach
    void end() {
        released = true;
        scheduler.shutdown();
        closed.shutdown();
    }

    @Test
    void withoutVirtualThreadsOfTheApplicationThereIsNoneOfTheAgents() {
        probe.round();
        nowNanos.addAndGet(DelayProbe.IDLE_NANOS);
        probe.round();

        assertThat(pool.size()).isZero();
        assertThat(pool.mounts()).isZero();
        assertThat(probe.currentNanos()).isZero();
    }

    @Test
    void oneRunsAfterEachThatTheApplicationHasRunAndNoneOtherwise() throws InterruptedException {
        for (int i = 1; i <= 3; i++) {
            useVirtualThreads();
            probe.round();
            awaitCount(i);
            probe.round(); // its own are no sign of use
            awaitCount(i);
            assertThat(pool.mounts()).isEqualTo(2L * i);
        }
    }

    @Test
    void whileOneWaitsThereIsNoOtherAndItsDelaySoFarIsReported() throws InterruptedException {
        Thread holder = hold();
        assertThat(probe.currentNanos()).isZero();
        probe.round();
        nowNanos.addAndGet(4_000);
        probe.round();
        assertThat(probe.currentNanos()).isEqualTo(4_000);
        assertThat(scheduler.getQueuedSubmissionCount()).isEqualTo(1);
        assertThat(probe.delays().totals().count()).isZero();

        nowNanos.addAndGet(3_000);
        released = true;
        holder.join();

        DurationTotals totals = awaitCount(1);
        assertThat(totals.nanos()).isEqualTo(7_000);
        assertThat(totals.longestNanos()).isEqualTo(7_000);
        assertThat(probe.currentNanos()).isZero();
    }

    @Test
    void theOneThatWaitsMakesNobodyStarve() throws InterruptedException {
        hold();
        probe.round();
        Starvation starvation = new Starvation(pool, 1_000_000_000L, 8, () -> false);
        starvation.sample(1, 0, 0, pool.carriers(), 1, 0, List::of);
        assertThat(starvation.periods()).isZero();

        threads.newThread(() -> {}).start();
        starvation.sample(2, 1, 1, pool.carriers(), 1, 0, List::of);
        assertThat(starvation.periods()).isEqualTo(1);
    }

    @Test
    void whenTheApplicationIsIdleItIsAskedLessOften() throws InterruptedException {
        assertThat(probe.meanNanos()).isEqualTo(1);
        nowNanos.addAndGet(DelayProbe.IDLE_NANOS + 1);
        assertThat(probe.meanNanos()).isEqualTo(DelayProbe.IDLE_CHECK_NANOS);

        useVirtualThreads();
        probe.round();
        assertThat(probe.meanNanos()).isEqualTo(1);

        long slow = 2 * DelayProbe.IDLE_CHECK_NANOS;
        DelayProbe seldom =
                new DelayProbe(pool, ARRIVALS, slow, Buckets.SINGLE, threads, nowNanos::get);
        nowNanos.addAndGet(DelayProbe.IDLE_NANOS + 1);
        assertThat(seldom.meanNanos()).isEqualTo(slow);
    }

    @Test
    void whileAThreadStaysOnItsCarrierNoOtherIsStartedAndThePeriodGrows() throws Exception {
        ForkJoinPool two = OwnPool.of(2, 2);
        CarrierPool both = OwnPool.seen(two);
        DelayProbe other =
                new DelayProbe(
                        both,
                        ARRIVALS,
                        1,
                        Buckets.SINGLE,
                        OwnPool.virtualThreads(two),
                        nowNanos::get);
        hold(OwnPool.virtualThreads(two));
        other.round();
        while (other.delays().totals().count() < 1 || two.getActiveThreadCount() > 1) {
            Thread.onSpinWait();
        }
        for (int periods = 2; periods <= 2 * DelayProbe.MAX_PERIODS; periods *= 2) {
            other.round();
            assertThat(other.meanNanos()).isEqualTo(Math.min(periods, DelayProbe.MAX_PERIODS));
        }
        assertThat(other.currentNanos()).isZero();
        assertThat(two.getQueuedSubmissionCount()).isZero();
        assertThat(other.delays().totals().count()).isEqualTo(1);

        released = true;
        while (two.getActiveThreadCount() > 0) {
            Thread.onSpinWait();
        }
        other.round();
        assertThat(other.meanNanos()).isEqualTo(1);
        two.shutdown();
    }

    @Test
    void whileTheApplicationsIsQueuedAndNoCarrierIsThereForItOneWaitsBesideIt()
            throws InterruptedException {
        hold();
        closed.shutdown();
        threadsOfProbe = OwnPool.virtualThreads(closed);
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(probe::round);
        threadsOfProbe = threads;
        probe.round();
        assertThat(scheduler.getQueuedSubmissionCount()).isZero();

        threads.newThread(() -> {}).start();
        probe.round();
        assertThat(scheduler.getQueuedSubmissionCount()).isEqualTo(2);
    }

    @Test
    void whatTheSchedulerRefusesCountsForNothing() throws InterruptedException {
        useVirtualThreads();
        closed.shutdown();
        threadsOfProbe = OwnPool.virtualThreads(closed);
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(probe::round);
        nowNanos.addAndGet(1_000);
        assertThat(probe.currentNanos()).isZero();
        assertThat(probe.delays().totals().count()).isZero();

        threadsOfProbe = threads;
        useVirtualThreads();
        probe.round();
        assertThat(awaitCount(1).nanos()).isZero();
    }

    /** Has one of the application's run, and returns when the scheduler has counted it. */
    private void useVirtualThreads() throws InterruptedException {
        long before = pool.mounts();
        Thread thread = threads.newThread(() -> {});
        thread.start();
        thread.join();
        while (pool.mounts() == before || !scheduler.isQuiescent()) {
            Thread.onSpinWait();
        }
    }

    private Thread hold() throws InterruptedException {
        return hold(threads);
    }

    private Thread hold(ThreadFactory by) throws InterruptedException {
        Thread thread =
                by.newThread(
                        () -> {
                            held.countDown();
                            while (!released) {
                                Thread.onSpinWait();
                            }
                        });
        thread.start();
        held.await();
        return thread;
    }

    /** Returns when {@code count} threads have ended. */
    private DurationTotals awaitCount(long count) {
        while (probe.delays().totals().count() < count || !scheduler.isQuiescent()) {
            Thread.onSpinWait();
        }
        return probe.delays().totals();
    }
}
