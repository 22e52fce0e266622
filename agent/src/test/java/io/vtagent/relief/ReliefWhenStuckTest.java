package io.vtagent.relief;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Starvation.Stuck;
import io.vtagent.jvm.OwnPool;
import io.vtagent.sampler.HeldCarriers;
import io.vtagent.scheduler.CarrierPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Relief of a scheduler of the test's own, all of whose carriers are held, and whose own count
 * shows what was not given back.
 */
class ReliefWhenStuckTest {
    private static final int PARALLELISM = 3;
    private static final int MAX = 32;

    /** The scheduler runs fewer carriers, down to one, before it adds one. */
    private static final int FOR_THE_FIRST = PARALLELISM;

    private static final long NOW = 1_000_000_000_000L;
    private static final long AFTER = 1_000_000_000L;
    private static final Stuck STUCK = new Stuck("why", true, 0);

    private final List<String> log = new ArrayList<>();
    private final ForkJoinPool scheduler = OwnPool.of(PARALLELISM, MAX);
    private final CarrierPool pool = OwnPool.seen(scheduler);
    private final HeldCarriers all =
            new HeldCarriers(pool, task -> OwnPool.unstarted(scheduler, task));
    private final ReliefWhenStuck relief = new ReliefWhenStuck(pool, AFTER, log::add);
    private final long patience = ReliefWhenStuck.ALL_WITHIN_NANOS / (pool.max() - PARALLELISM);

    ReliefWhenStuckTest() throws ReflectiveOperationException {}

    @AfterEach
    void nothingIsKept() {
        all.close();
        relief.sample(NOW, null);
        try (HeldCarriers again =
                new HeldCarriers(pool, task -> OwnPool.unstarted(scheduler, task))) {
            assertThat(pool.atWork()).isEqualTo(again.carriers().size());
        }
        scheduler.shutdown();
    }

    @Test
    void whileSomethingMovesNothingIsAskedFor() {
        assertThat(relief.sample(NOW, null)).isEqualTo(Long.MAX_VALUE);

        assertThat(pool.atWork()).isEqualTo(PARALLELISM);
        assertThat(relief.added()).isZero();
        assertThat(log).isEmpty();
    }

    @Test
    void whenTheSchedulerIsStuckOneCarrierIsAddedAtOnceAndTheCauseIsReportedOnce() {
        all.queue(2);
        assertThat(relief.sample(NOW, STUCK)).isBetween(1L, patience);
        assertThat(relief.added()).isEqualTo(1);
        assertThat(pool.size()).isEqualTo(PARALLELISM + 1);

        awaitHeld(PARALLELISM + 1);
        relief.sample(NOW + AFTER, STUCK);
        assertThat(relief.added()).isEqualTo(2);
        assertThat(pool.size()).isEqualTo(PARALLELISM + 2);
        assertThat(log)
                .containsExactly(
                        "relief=stuck adds carriers, one at a time, until something moves: why");
    }

    @Test
    void theCauseIsNotReportedAgainBecauseSomethingMovedForAMoment() {
        all.queue(3);
        relief.sample(NOW, STUCK);
        awaitHeld(PARALLELISM + 1);
        relief.sample(NOW + 1, null);
        relief.sample(NOW + AFTER - 1, STUCK);
        assertThat(relief.added()).isEqualTo(2);
        assertThat(log).hasSize(1);

        awaitHeld(PARALLELISM + 2);
        relief.sample(NOW + AFTER, null);
        relief.sample(NOW + 2 * AFTER - 1, STUCK);
        assertThat(relief.added()).isEqualTo(3);
        assertThat(log).as("said of another one").hasSize(2);
    }

    @Test
    void whileACarrierIsFreeNothingIsAdded() {
        relief.sample(NOW, new Stuck("why", false, 0));
        assertThat(relief.added()).isZero();
    }

    @Test
    void whatWasAddedRunsWhatIsQueued() throws InterruptedException {
        Thread queued = OwnPool.unstarted(scheduler, () -> {});
        queued.start();
        for (long now = NOW; queued.isAlive(); now += AFTER) {
            boolean allHeld = all.carriers().size() == pool.size();
            relief.sample(now, new Stuck("why", allHeld, 0));
            Thread.onSpinWait();
        }
        queued.join();
    }

    @Test
    void theNextOneIsAddedWhenAllHaveBeenHeldForLongEnough() {
        all.queue(2);
        relief.sample(NOW, STUCK);
        awaitHeld(PARALLELISM + 1);
        relief.sample(NOW + patience - 1, STUCK);
        assertThat(relief.added()).isEqualTo(1);

        relief.sample(NOW + patience, new Stuck("why", false, 0));
        assertThat(relief.added()).as("one is free").isEqualTo(1);
        relief.sample(NOW + 2 * patience - 1, STUCK);
        assertThat(relief.added()).as("one was free").isEqualTo(1);
        relief.sample(NOW + 2 * patience, STUCK);
        assertThat(relief.added()).isEqualTo(2);
    }

    @Test
    void whereSomethingHasMovedSinceTheLastOneItTakesTwiceAsLongUpToTheTimeOfADiagnosis() {
        all.queue(MAX);
        relief.sample(NOW, STUCK);
        long now = NOW;
        long wanted = patience;
        for (int moved = 1; moved < 15; moved++) {
            wanted = Math.min(2 * wanted, AFTER);
            now++;
            relief.sample(now, new Stuck("why", true, moved));
            relief.sample(now + wanted - 1, new Stuck("why", true, moved));
            assertThat(relief.added()).isEqualTo(moved);
            awaitHeld(PARALLELISM + moved);
            now += wanted;
            relief.sample(now, new Stuck("why", true, moved));
            assertThat(relief.added()).isEqualTo(moved + 1);
        }
        assertThat(wanted).isEqualTo(AFTER);
    }

    @Test
    void aCarrierIsCompensatedUntilItCarriesSomethingElse() {
        relief.sample(NOW, STUCK);
        relief.sample(NOW + 1, null);
        assertThat(relief.pins()).as("all are still held").isZero();

        all.release();
        relief.sample(NOW + 500, null);
        assertThat(relief.pins()).isEqualTo(FOR_THE_FIRST);
        assertThat(relief.nanos()).isEqualTo(500L * FOR_THE_FIRST);
        relief.sample(NOW + 600, null);
        assertThat(relief.pins()).as("once").isEqualTo(FOR_THE_FIRST);
    }

    @Test
    void oneThatCarriesSomethingElseEndsItsOwnCompensationOnly() {
        Thread movesOn = Objects.requireNonNull(pool.mountedOn(all.carriers().getLast()));
        all.queue(1);
        relief.sample(NOW, STUCK);
        awaitHeld(PARALLELISM + 1);
        assertThat(relief.compensatedCarriers()).isEqualTo(FOR_THE_FIRST);

        all.release(movesOn);
        relief.sample(NOW + 500, null);
        assertThat(relief.compensatedCarriers()).isEqualTo(FOR_THE_FIRST - 1);
        assertThat(relief.pins()).isEqualTo(1);
        assertThat(relief.nanos()).isEqualTo(500);
    }

    /** Such as the continuation of a {@code CompletableFuture} that the scheduler runs. */
    @Test
    void oneThatIsBlockedInATaskOfAnotherKindIsCompensatedUntilItGoesOn() {
        all.release();
        CountDownLatch goesOn = new CountDownLatch(1);
        for (int i = 0; i < PARALLELISM; i++) {
            scheduler.execute(() -> awaitUninterruptibly(goesOn));
        }
        while (blockedInTask() < PARALLELISM) {
            Thread.onSpinWait();
        }
        relief.sample(NOW, STUCK);
        assertThat(relief.compensatedCarriers()).isEqualTo(FOR_THE_FIRST);
        relief.sample(NOW + 1, null);
        assertThat(relief.pins()).as("all are still blocked").isZero();

        goesOn.countDown();
        while (blockedInTask() > 0) {
            Thread.onSpinWait();
        }
        relief.sample(NOW + 500, null);
        assertThat(relief.pins()).isEqualTo(FOR_THE_FIRST);
    }

    private long blockedInTask() {
        return pool.carriers().stream().filter(pool::isBlockedInTask).count();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void whenTheSamplerFailsAllIsGivenBack() {
        relief.sample(NOW, STUCK);
        assertThat(relief.compensatedCarriers()).isEqualTo(FOR_THE_FIRST);
        relief.lost();
        assertThat(relief.compensatedCarriers()).isZero();
        assertThat(relief.pins()).isEqualTo(FOR_THE_FIRST);
    }

    @Test
    void aCarrierThatIsIdleIsWokenBeforeOneIsAdded() {
        relief.sample(NOW, STUCK);
        all.release();
        relief.sample(NOW + 1, null);
        try (HeldCarriers again =
                new HeldCarriers(pool, task -> OwnPool.unstarted(scheduler, task))) {
            again.queue(MAX);
            int idle = pool.size() - again.carriers().size();
            assertThat(idle).isPositive();
            for (int i = 0; i < idle; i++) {
                relief.sample(NOW + (i + 2) * AFTER, STUCK);
                awaitHeld(PARALLELISM + i + 1);
            }
            assertThat(relief.added()).as("no further one").isEqualTo(1);
        }
    }

    @Test
    void atTheLimitThePropertyToRaiseIsReportedOnceEachTime() throws ReflectiveOperationException {
        ReliefWhenStuck limited = limitedTo(PARALLELISM + 1);
        limited.sample(NOW, STUCK);
        awaitHeld(PARALLELISM + 1);
        assertThat(limited.sample(NOW + AFTER, STUCK)).isEqualTo(Long.MAX_VALUE);
        limited.sample(NOW + 2 * AFTER, STUCK);

        assertThat(limited.added()).isEqualTo(1);
        String limit =
                "jdk.virtualThreadScheduler.maxPoolSize="
                        + (PARALLELISM + 1)
                        + " allows no more, raise it: ";
        assertThat(log)
                .containsExactly(
                        "relief=stuck adds carriers, one at a time, until something moves: why",
                        "relief=stuck has added 1 carrier, the scheduler is still stuck, and "
                                + limit
                                + "why");
        limited.lost();
    }

    @Test
    void withoutRoomFromTheBeginningTheCauseIsReportedAsWell() throws ReflectiveOperationException {
        ReliefWhenStuck limited = limitedTo(PARALLELISM);
        for (int i = 0; i < 2; i++) {
            limited.sample(NOW + i, STUCK);
            limited.sample(NOW + i, null);
        }
        assertThat(pool.atWork()).as("nothing was asked for").isEqualTo(PARALLELISM);
        String line =
                "relief=stuck has added 0 carriers, the scheduler is still stuck, and"
                        + " jdk.virtualThreadScheduler.maxPoolSize="
                        + PARALLELISM
                        + " allows no more, raise it: why";
        assertThat(log).containsExactly(line, line);
    }

    @Test
    void aSchedulerThatRefusesIsReported() {
        all.queue(MAX);
        for (int i = 0; i <= MAX - PARALLELISM; i++) {
            awaitHeld(PARALLELISM + i);
            relief.sample(NOW + i * AFTER, STUCK);
        }
        assertThat(relief.added()).isEqualTo(MAX - PARALLELISM);
        assertThat(log.getLast())
                .isEqualTo(
                        "relief=stuck has added 29 carriers, the scheduler is still stuck, and"
                                + " the scheduler refuses to add one: why");
    }

    /** Until what was added has taken up one of those that are queued. */
    private void awaitHeld(int carriers) {
        while (all.carriers().size() < carriers) {
            Thread.onSpinWait();
        }
    }

    /** The property is read when a pool is used first. */
    private ReliefWhenStuck limitedTo(int most) throws ReflectiveOperationException {
        System.setProperty(CarrierPool.MAX_POOL_SIZE, Integer.toString(most));
        try {
            return new ReliefWhenStuck(OwnPool.seen(scheduler), AFTER, log::add);
        } finally {
            System.clearProperty(CarrierPool.MAX_POOL_SIZE);
        }
    }
}
