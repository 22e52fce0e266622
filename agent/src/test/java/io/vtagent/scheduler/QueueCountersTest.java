package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import io.vtagent.scheduler.QueueCounters.Kept;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueCountersTest {
    private static final int SUBMISSIONS = 0;
    private static final int OWN = 1;
    private static final int OTHER = 3;

    private final Thread carrier = new Thread("carrier");
    private final Thread other = new Thread("another carrier");

    /** The counters of the queue of submissions, the carrier's own, and another carrier's. */
    private QueueCounters counters(
            boolean exact,
            int[] submissions,
            int[] own,
            int[] others,
            int source,
            int otherSource) {
        QueueCounters counters = new QueueCounters(4, exact);
        set(counters, SUBMISSIONS, null, submissions, 0);
        set(counters, OWN, carrier, own, source);
        set(counters, OTHER, other, others, otherSource);
        return counters;
    }

    private static void set(
            QueueCounters counters, int index, @Nullable Thread owner, int[] its, int source) {
        counters.set(index, owner, its[0], its[1], its[2], source);
    }

    /** The tasks taken from a queue, those put in, and those that its owner has stolen. */
    private static int[] queue(int base, int top, int steals) {
        return new int[] {base, top, steals};
    }

    @Test
    void nothingTakenIsTheSameThread() {
        QueueCounters before =
                counters(false, queue(5, 9, 0), queue(2, 2, 7), queue(1, 1, 1), 1 << 17, 0);
        QueueCounters after =
                counters(false, queue(5, 30, 0), queue(2, 4, 7), queue(1, 1, 1), 1 << 17, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.YES);
    }

    @Test
    void aCarrierThatHasStolenRunsAnother() {
        QueueCounters before = counters(true, queue(5, 9, 0), queue(2, 2, 7), queue(1, 1, 1), 0, 0);
        QueueCounters after = counters(true, queue(6, 9, 0), queue(2, 2, 8), queue(1, 1, 1), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }

    @Test
    void whatTheOwnQueueHadBeforeMayBeTakenWithoutDoubt() {
        QueueCounters before = counters(true, queue(5, 9, 0), queue(2, 6, 7), queue(1, 1, 1), 0, 0);
        QueueCounters after = counters(true, queue(5, 9, 0), queue(6, 8, 7), queue(1, 1, 3), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.YES);
    }

    @Test
    void whatWasPutInTheOwnQueueAndTakenWhileNobodyStoleWasTakenByItsOwner() {
        QueueCounters before = counters(true, queue(5, 9, 0), queue(2, 3, 7), queue(1, 1, 1), 0, 0);
        QueueCounters after = counters(true, queue(5, 9, 0), queue(4, 4, 7), queue(1, 1, 1), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }

    @Test
    void whatOthersMayHaveTakenLeavesADoubt() {
        QueueCounters before = counters(true, queue(5, 9, 0), queue(2, 3, 7), queue(1, 1, 1), 0, 0);
        QueueCounters after = counters(true, queue(5, 9, 0), queue(4, 4, 7), queue(1, 1, 2), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.UNKNOWN);
    }

    @Test
    void aQueueOfSubmissionsMattersWhereStealsAreCountedLate() {
        QueueCounters before =
                counters(false, queue(5, 6, 0), queue(2, 2, 7), queue(1, 1, 1), 1 << 17, 0);
        int[] taken = queue(8, 9, 0);

        assertThat(
                        counters(false, taken, queue(2, 2, 7), queue(1, 1, 1), 1 << 17, 0)
                                .keptSince(before, carrier))
                .isEqualTo(Kept.NO);
        assertThat(
                        counters(false, taken, queue(2, 2, 7), queue(1, 1, 1), 1 << 17, 1 << 17)
                                .keptSince(before, carrier))
                .isEqualTo(Kept.UNKNOWN);
        assertThat(
                        counters(true, taken, queue(2, 2, 7), queue(1, 1, 2), 0, 0)
                                .keptSince(before, carrier))
                .isEqualTo(Kept.YES);
    }

    @Test
    void countersMayOverflow() {
        QueueCounters before =
                counters(
                        true,
                        queue(5, 9, 0),
                        queue(Integer.MAX_VALUE - 1, Integer.MAX_VALUE, 7),
                        queue(1, 1, 1),
                        0,
                        0);
        QueueCounters after =
                counters(
                        true,
                        queue(5, 9, 0),
                        queue(Integer.MIN_VALUE, Integer.MIN_VALUE, 7),
                        queue(1, 1, 1),
                        0,
                        0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }

    @Test
    void aQueueThatWasAddedMeanwhileBeganEmpty() {
        QueueCounters before =
                counters(false, queue(5, 9, 0), queue(2, 2, 7), queue(1, 1, 1), 4, 0);
        QueueCounters after = new QueueCounters(5, false);
        set(after, SUBMISSIONS, null, queue(5, 9, 0), 0);
        set(after, OWN, carrier, queue(2, 2, 7), 4);
        set(after, OTHER, other, queue(1, 1, 1), 0);

        set(after, 4, null, queue(1, 3, 0), 0);
        assertThat(after.keptSince(before, carrier)).as("nothing is taken").isEqualTo(Kept.YES);
        set(after, 4, null, queue(2, 3, 0), 0);
        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }

    @Test
    void aSourceThatIsNoQueueHasNoTasks() {
        QueueCounters before =
                counters(false, queue(5, 9, 0), queue(2, 2, 7), queue(1, 1, 1), 4, 0);

        assertThat(before.keptSince(before, carrier)).isEqualTo(Kept.YES);
    }

    @Test
    void theQueueOfACarrierMayBeTheFirstOne() {
        QueueCounters counters = new QueueCounters(1, true);
        set(counters, 0, carrier, queue(2, 2, 7), 0);

        assertThat(counters.keptSince(counters, carrier)).isEqualTo(Kept.YES);
        assertThat(counters.keptSince(counters, other)).as("has no queue").isEqualTo(Kept.NO);
    }

    @Test
    void theCountersOfAPoolShowWhetherItsCarrierHasTakenAThread()
            throws ReflectiveOperationException, InterruptedException {
        ForkJoinPool scheduler = OwnPool.of(1, 1);
        ThreadFactory threads = OwnPool.virtualThreads(scheduler);
        AtomicInteger over = new AtomicInteger();
        try {
            CarrierPool pool = OwnPool.seen(scheduler);
            QueueCounters.Reader reader = pool.counters();
            Thread first = runningUntil(over, 1, threads);
            Thread runner = pool.carriers().getFirst();

            QueueCounters before = reader.read();
            assertThat(reader.read().keptSince(before, runner)).isEqualTo(Kept.YES);

            over.set(1);
            first.join();
            Thread unused = runningUntil(over, 2, threads);
            assertThat(reader.read().keptSince(before, runner)).isEqualTo(Kept.NO);
        } finally {
            over.set(2);
            scheduler.shutdown();
        }
    }

    /** Returns a thread that runs until {@code over} is at {@code end}. */
    private static Thread runningUntil(AtomicInteger over, int end, ThreadFactory threads)
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread =
                threads.newThread(
                        () -> {
                            begun.countDown();
                            while (over.get() < end) {
                                Thread.onSpinWait();
                            }
                        });
        thread.start();
        begun.await();
        return thread;
    }

    @Test
    void aNewCarrierIsNotKnown() {
        QueueCounters before = new QueueCounters(4, true);
        QueueCounters after = counters(true, queue(5, 9, 0), queue(1, 1, 1), queue(1, 1, 1), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }
}
