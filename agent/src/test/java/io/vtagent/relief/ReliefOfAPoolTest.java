package io.vtagent.relief;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.jvm.OwnPool;
import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.SiteWithDuration;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.Compensation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The effect of relief on the scheduler's own count of carriers at work, in a pool like the
 * scheduler. All carriers are busy until the test is over, and report after each stretch of work
 * that they are between two threads. Where carriers go to sleep and are woken, the test waits for
 * the one number at which the count settles.
 */
class ReliefOfAPoolTest {
    private static final int PARALLELISM = 2;
    private static final int MAX = 4;
    private static final long PACE_NANOS = 100_000;
    private static final long NOW = 1_000_000_000_000L;
    private static final Site SITE = SiteWithDuration.of(Relief.WORTH_NANOS);

    private final ForkJoinPool scheduler = OwnPool.of(PARALLELISM, 8, this::made);
    private final CarrierPool pool;
    private final Compensation compensation;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Semaphore busy = new Semaphore(0);
    private final Semaphore tasks = new Semaphore(0);
    private volatile Runnable whenMade = () -> {};

    ReliefOfAPoolTest() throws ReflectiveOperationException {
        pool = OwnPool.seen(scheduler);
        compensation = pool.compensation();
    }

    @AfterEach
    void end() {
        over.countDown();
        tasks.release(2);
        scheduler.shutdown();
    }

    @Test
    void thePinThatIsCompensatedIsTakenFromTheCarriersAtWorkAndGivenBackAtItsEnd()
            throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        relief.sample(NOW, List.of(), List.of());

        long begun = relief.begin(SITE);
        assertThat(pool.atWork()).isEqualTo(PARALLELISM - 1);
        relief.end(begun, 1);
        assertThat(pool.atWork()).isEqualTo(PARALLELISM);
    }

    @Test
    void onlyTheCarriersOfItsPoolAreCompensated() throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        assertThat(pool.carriers()).isNotEmpty().allMatch(relief::compensates);
        assertThat(relief.compensates(Thread.currentThread())).isFalse();
        try (ForkJoinPool another = OwnPool.of(1, 1)) {
            Thread worker = another.submit(Thread::currentThread).join();
            assertThat(relief.compensates(worker)).isFalse();
        }
    }

    @Test
    void whatWasCompensatedLaterIsGivenBackWhenItIsSeenToHaveEndedOrTheSamplerFails()
            throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);

        relief.sample(NOW, List.of(late()), List.of());
        assertThat(pool.atWork()).isEqualTo(PARALLELISM - 1);
        relief.sample(NOW, List.of(), List.of());
        assertThat(pool.atWork()).isEqualTo(PARALLELISM);

        relief.sample(NOW, List.of(late()), List.of());
        assertThat(pool.atWork()).isEqualTo(PARALLELISM - 1);
        relief.lost();
        assertThat(pool.atWork()).isEqualTo(PARALLELISM);
    }

    @Test
    void aCarrierIsCountedAsAddedOnlyBeyondThoseThatTheSchedulerAimsAt()
            throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        relief.carrierAdded();
        assertThat(relief.added()).isZero();

        add(1, relief);
        relief.carrierAdded();
        assertThat(relief.added()).isEqualTo(1);
    }

    @Test
    void compensationCountsACarrierThatWasMadeAndStarted() throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        whenMade = () -> relief.carrierMade(Thread.currentThread());
        relief.sample(NOW, List.of(late(), late()), List.of()); // for the first, one fewer runs
        assertThat(relief.added()).isEqualTo(1);
    }

    @Test
    void compensationDoesNotCountACarrierThatCouldNotBeStarted() throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        whenMade =
                () -> {
                    relief.carrierMade(Thread.currentThread());
                    throw new OutOfMemoryError("unable to create native thread");
                };
        relief.sample(NOW, List.of(late(), late()), List.of());
        assertThat(relief.added()).isZero();
    }

    @Test
    void theLimitThatIsReachedIsReportedOnce() throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM);
        relief.sample(NOW, List.of(), List.of());
        for (int i = 0; i < MAX + PARALLELISM - 1; i++) {
            assertThat(relief.begin(SITE)).isPositive();
        }
        assertThat(relief.limitMessage()).isNull();

        assertThat(relief.begin(SITE)).isNegative();
        assertThat(relief.limitMessage())
                .isEqualTo(
                        "relief has reached its limit: relief=4; further held carriers are not"
                                + " compensated");
        assertThat(relief.limitMessage()).isNull();
    }

    @Test
    void aSampleReportsTheLimit() throws InterruptedException {
        Relief relief = busy(0, PARALLELISM);
        relief.sample(NOW, List.of(late(), late()), List.of());
        relief.sample(NOW, List.of(), List.of());
        assertThat(relief.limitMessage()).isNull();
    }

    @Test
    void theLimitIsThePoolsWhereThatIsTheLower() throws InterruptedException {
        Relief relief = busy(pool.max(), PARALLELISM);
        relief.sample(NOW, List.of(), List.of());
        while (relief.begin(SITE) > 0) {
            // until the pool refuses
        }
        assertThat(relief.limitMessage())
                .contains("jdk.virtualThreadScheduler.maxPoolSize=" + pool.max());
    }

    @Test
    void carriersThatAreTooManyRestAndAreWokenWhenThereIsNothingToDo() throws InterruptedException {
        Relief relief = busy(MAX, PARALLELISM + 2);
        queueTasks();

        assertAtWork(PARALLELISM, relief, List.of());
        end();
        assertAtWork(0, relief, List.of());
    }

    @Test
    void anUncompensatedCarrierIsNotTakenForOneThatWorks() throws InterruptedException {
        Relief relief = busy(0, PARALLELISM + 2); // so that one pin may be compensated
        queueTasks();
        assertAtWork(PARALLELISM, relief, List.of());

        long made = relief.begin(SITE);
        long left = relief.begin(SITE);
        assertThat(made).isPositive();
        assertThat(left).isNegative();
        assertAtWork(PARALLELISM + 1, relief, List.of());

        relief.end(left, 1);
        assertAtWork(PARALLELISM, relief, List.of());
        assertThat(relief.pins()).isZero();
    }

    @Test
    void aPinThatWasRefusedAndIsCompensatedLaterIsTakenFromTheCarriersAtWorkOnce()
            throws InterruptedException {
        Relief relief = busy(0, PARALLELISM + 2); // so that one pin may be compensated
        queueTasks();
        assertAtWork(PARALLELISM, relief, List.of());
        long made = relief.begin(SITE);
        long left = relief.begin(SITE);
        assertThat(left).isNegative();
        assertAtWork(PARALLELISM + 1, relief, List.of());

        relief.end(made, 1);
        assertAtWork(PARALLELISM, relief, List.of(refused()), List.of());
        assertThat(relief.compensatedCarriers()).isEqualTo(1);
        assertAtWork(PARALLELISM, relief, List.of(refused()), List.of());

        relief.end(left, Relief.LATE_NANOS);
        assertThat(relief.compensatedCarriers()).as("at its end, not at the next sample").isZero();
        assertAtWork(PARALLELISM, relief, List.of());
        assertAtWork(PARALLELISM + 1, relief, List.of(late(), late()));
    }

    /** The pin of the current thread, which has lasted since it was refused. */
    private static ActivePin refused() {
        Thread thread = Thread.currentThread();
        return new ActivePin(
                PinKind.PARK,
                PinReason.NATIVE,
                Relief.LATE_NANOS,
                thread,
                thread,
                false,
                null,
                null,
                null,
                Samples.NONE,
                true);
    }

    @Test
    void sampledPinsThatAreRefusedAreNotTakenForCarriersThatWork() throws InterruptedException {
        Relief relief = busy(0, PARALLELISM + 4);
        queueTasks();
        assertAtWork(PARALLELISM, relief, List.of());

        ActivePin young = pin(PinKind.NATIVE, Relief.LATE_NANOS - 1);
        // one is compensated, two are not, and two are too young; also at the next sample
        List<ActivePin> seen = List.of(late(), late(), late(), young, young);
        assertAtWork(PARALLELISM + 2, relief, seen);
        assertAtWork(PARALLELISM + 2, relief, seen);
        assertAtWork(PARALLELISM, relief, List.of());
        assertThat(relief.pins()).isEqualTo(1);
    }

    private ForkJoinWorkerThread made(ForkJoinPool ofPool) {
        ForkJoinWorkerThread worker =
                ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(ofPool);
        whenMade.run();
        return worker;
    }

    /**
     * Returns relief by at most {@code most} carriers, of a pool with {@code carriers} that are
     * busy.
     */
    private Relief busy(int most, int carriers) throws InterruptedException {
        Relief relief = new Relief(pool, most);
        for (int i = 0; i < PARALLELISM; i++) {
            scheduler.execute(() -> work(relief));
        }
        busy.acquire(PARALLELISM);
        if (carriers > PARALLELISM) {
            add(carriers - PARALLELISM, relief);
        }
        return relief;
    }

    private void work(Relief relief) {
        busy.release();
        while (over.getCount() > 0) {
            relief.unmounted();
            LockSupport.parkNanos(PACE_NANOS); // work, of which a test needs little
        }
    }

    /** Has the scheduler add carriers, as for pins, which then end. */
    private void add(int carriers, Relief relief) throws InterruptedException {
        List<Long> begun = new ArrayList<>();
        begun.add(compensation.begin()); // takes one out of work
        for (int i = 0; i < carriers; i++) {
            scheduler.execute(() -> work(relief));
            begun.add(compensation.begin());
            busy.acquire();
        }
        begun.forEach(compensation::end);
        assertThat(pool.size()).isEqualTo(PARALLELISM + carriers);
    }

    /** Queues tasks that no carrier has time for, so that none is woken to search for some. */
    private void queueTasks() {
        scheduler.execute(tasks::acquireUninterruptibly);
        scheduler.execute(tasks::acquireUninterruptibly);
    }

    private void assertAtWork(int carriers, Relief relief, List<ActivePin> sampled) {
        assertAtWork(carriers, relief, List.of(), sampled);
    }

    private void assertAtWork(
            int carriers, Relief relief, List<ActivePin> reportedByHooks, List<ActivePin> sampled) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(
                        () -> {
                            relief.sample(NOW, reportedByHooks, sampled);
                            assertThat(pool.atWork()).isEqualTo(carriers);
                        });
    }

    private static ActivePin late() {
        return pin(PinKind.NATIVE, Relief.LATE_NANOS);
    }

    private static ActivePin pin(PinKind kind, long ageNanos) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {});
        return ActivePins.of(kind, PinReason.NATIVE, ageNanos, thread, thread, false, null, null);
    }
}
