package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.scheduler.QueueCounters.Kept;
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
    void aNewCarrierIsNotKnown() {
        QueueCounters before = new QueueCounters(4, true);
        QueueCounters after = counters(true, queue(5, 9, 0), queue(1, 1, 1), queue(1, 1, 1), 0, 0);

        assertThat(after.keptSince(before, carrier)).isEqualTo(Kept.NO);
    }
}
