package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.vtagent.pin.ActivePin;
import io.vtagent.sampler.HeldCarriers;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.Redefinitions;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StarvationTest {
    private static final long SECOND = 1_000_000_000;
    private static final long AFTER = 2 * SECOND;

    /** The maximum that counts for a state that the previous sample did not have. */
    private static final long MAX_FIRST = 300_000_000;

    private long sampledAtNanos = Long.MIN_VALUE;

    @Test
    void aPeriodGoesOnOverMomentsInWhichACarrierIsFreeThatDoNotCount() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 10 * SECOND);
            assertThat(starvation.periods()).isEqualTo(1);
            assertThat(starvation.nanos()).isZero();
            sample(starvation, all, 11 * SECOND);
            assertThat(starvation.nanos()).isEqualTo(SECOND);
            assertThat(starvation.current()).isNull();

            free(starvation, all, 11 * SECOND + 300_000_000);
            assertThat(starvation.nanos()).isEqualTo(SECOND);
            sample(starvation, all, 11 * SECOND + 400_000_000);
            assertThat(starvation.periods()).as("after a moment").isEqualTo(1);
            assertThat(starvation.nanos())
                    .as("since the look before")
                    .isEqualTo(SECOND + 100_000_000);

            free(starvation, all, 11 * SECOND + 700_000_001);
            sample(starvation, all, 20 * SECOND);
            assertThat(starvation.periods()).isEqualTo(2);
            assertThat(starvation.nanos())
                    .as("nobody had looked for long")
                    .isEqualTo(SECOND + 400_000_000);
            sample(starvation, all, 20 * SECOND + 500_000_000);
            assertThat(starvation.nanos()).isEqualTo(SECOND + 900_000_000);
        }
    }

    @Test
    void whatIsFirstSeenCountsAsOtherPinsDo() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            List<Thread> carriers = all.carriers();
            starvation.sample(
                    10 * SECOND, SECOND, SECOND / 2, carriers, carriers.size(), 0, List::of);
            assertThat(starvation.nanos()).as("not seen before").isEqualTo(SECOND / 2);
            starvation.sample(
                    11 * SECOND, SECOND, SECOND / 4, carriers, carriers.size(), 0, List::of);
            assertThat(starvation.nanos()).as("seen at both looks").isEqualTo(SECOND + SECOND / 2);
        }
    }

    /** An example is threads that wait for each other with a time limit. */
    @Test
    void carriersThatAreFreeNowAndThenAreStuckAndReportedOnce() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            Diagnosis first = null;
            for (long millis = 0; millis < 20_000; millis += 10) {
                if (millis % 100 < 40) {
                    sample(starvation, all, millis * 1_000_000);
                } else {
                    free(starvation, all, millis * 1_000_000);
                }
                if (first == null && starvation.current() != null) {
                    first = starvation.current();
                    assertThat(millis * 1_000_000).isEqualTo(AFTER);
                    assertThat(first.starvedNanos() / (double) AFTER).isCloseTo(0.4, within(0.02));
                    assertThat(first.overload()).isFalse();
                }
            }
            assertThat(first).isNotNull().isSameAs(starvation.current());
            assertThat(starvation.stuck()).isNotNull();
            assertThat(starvation.nanos() / (20.0 * SECOND)).isCloseTo(0.4, within(0.02));
        }
    }

    @Test
    void whatHasMovedIsNoOverloadUnlessAllAreHeldForMostOfTheTime() {
        HeldCarriers all = new HeldCarriers();
        Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
        bursts(starvation, all, 0, 1_000);
        all.release();
        try (HeldCarriers others = new HeldCarriers()) {
            bursts(starvation, others, 1_000, 1_600);
            sample(starvation, others, AFTER + 300_000_000);
            assertThat(starvation.periods()).isEqualTo(1);
            assertThat(starvation.current()).as("since it began").isNull();
            sample(starvation, others, 2 * AFTER);
            assertThat(starvation.current()).as("since others have been held").isNotNull();
        }
    }

    /** A hundredth of a second in each tenth. */
    private void bursts(Starvation starvation, HeldCarriers all, long fromMillis, long toMillis) {
        for (long millis = fromMillis; millis < toMillis; millis += 10) {
            if (millis % 100 == 0) {
                sample(starvation, all, millis * 1_000_000);
            } else {
                free(starvation, all, millis * 1_000_000);
            }
        }
    }

    @Test
    void twoBurstsAreNoOverloadHoweverSoonThatIsDiagnosed() {
        HeldCarriers all = new HeldCarriers();
        Starvation starvation = new Starvation(all.pool(), SECOND / 10, 8, () -> false);
        sample(starvation, all, 0);
        for (long millis = 10; millis < 200; millis += 10) {
            free(starvation, all, millis * 1_000_000);
        }
        all.release();
        try (HeldCarriers others = new HeldCarriers()) {
            sample(starvation, others, 200_000_000);
            sample(starvation, others, 210_000_000);
            assertThat(starvation.periods()).isEqualTo(1);
            assertThat(starvation.current()).isNull();
        }
    }

    @Test
    void whereAllHaveGoneOnWhileTheyAreAskedTheyAreAskedAgain() {
        try (HeldCarriers all = new HeldCarriers()) {
            List<Thread> carriers = all.carriers();
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            sample(
                    starvation,
                    AFTER,
                    carriers,
                    carriers.size(),
                    0,
                    () -> {
                        all.release();
                        return List.of();
                    });
            assertThat(starvation.current()).isNull();
            try (HeldCarriers others = new HeldCarriers()) {
                sample(starvation, others, AFTER + SECOND);
            }
            assertThat(starvation.current()).isNotNull();
        }
    }

    /** An example is a lack of memory. */
    @Test
    void aDiagnosisThatFailsIsMadeAgainALittleLater() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            assertThatThrownBy(
                            () ->
                                    sample(
                                            starvation,
                                            AFTER,
                                            all.pool().carriers(),
                                            all.pool().size(),
                                            0,
                                            () -> {
                                                throw new OutOfMemoryError("made up");
                                            }))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(starvation.current()).isNull();
            sample(starvation, all, AFTER + 499_999_999);
            assertThat(starvation.current()).as("not at each look").isNull();
            sample(starvation, all, AFTER + 500_000_000);
            assertThat(starvation.current()).isNotNull();
            assertThat(starvation.stuck()).isNotNull();
        }
    }

    @Test
    void itIsDiagnosedOnceWhenItHasLastedLongEnough() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            sample(starvation, all, AFTER / 2);
            sample(starvation, all, AFTER - 1);
            assertThat(starvation.current()).isNull();
            sample(starvation, all, AFTER);
            Diagnosis diagnosis = Objects.requireNonNull(starvation.current());
            assertThat(diagnosis.starvedNanos()).isEqualTo(AFTER);
            assertThat(diagnosis.verdict()).contains("None of them took up another thread");
            sample(starvation, all, 2 * AFTER);
            assertThat(starvation.current()).isSameAs(diagnosis);

            free(starvation, all, 3 * AFTER);
            assertThat(starvation.current()).isNull();
            assertThat(starvation.past())
                    .singleElement()
                    .satisfies(
                            over -> {
                                assertThat(over.diagnosis()).isSameAs(diagnosis);
                                assertThat(over.beganNanos()).isZero();
                                assertThat(over.lastedNanos()).isEqualTo(2 * AFTER);
                            });

            sample(starvation, all, 10 * AFTER);
            sample(starvation, all, 12 * AFTER);
            assertThat(starvation.current())
                    .as("of the next period")
                    .isNotNull()
                    .isNotSameAs(diagnosis);
        }
    }

    @Test
    void thePeriodsThatWereDiagnosedAreKeptTheNewestTenOfThem() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, SECOND);
            free(starvation, all, 5 * SECOND);
            assertThat(starvation.past()).as("it was not diagnosed").isEmpty();

            for (long period = 1; period <= Starvation.MAX_PAST + 1; period++) {
                long beganNanos = period * 10 * SECOND;
                sample(starvation, all, beganNanos);
                sample(starvation, all, beganNanos + AFTER);
                free(starvation, all, beganNanos + 2 * AFTER);
            }
            assertThat(starvation.past()).hasSize(Starvation.MAX_PAST);
            assertThat(starvation.past().getFirst().beganNanos())
                    .isEqualTo((Starvation.MAX_PAST + 1) * 10 * SECOND);
            assertThat(starvation.past().getLast().beganNanos()).isEqualTo(20 * SECOND);
            assertThat(starvation.past())
                    .allSatisfy(past -> assertThat(past.lastedNanos()).isEqualTo(AFTER));
        }
    }

    @Test
    void aDiagnosisWaitsUntilStacksMayBeRead() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            Redefinitions.begin();
            sample(starvation, all, AFTER);

            assertThat(Objects.requireNonNull(starvation.current()).held())
                    .isNotEmpty()
                    .allSatisfy(held -> assertThat(held.stack()).isNotEmpty());
        }
    }

    @Test
    void noThreadIsKeptOnceAPeriodIsOver() throws ReflectiveOperationException {
        Starvation starvation = new Starvation(CarrierPool.ofThisJvm(), AFTER, 8, () -> false);
        WeakReference<Thread> holder = holderInAPeriodThatEnds(starvation);
        await().until(
                        () -> {
                            System.gc();
                            return holder.refersTo(null);
                        });

        assertThat(starvation.past()).hasSize(1);
    }

    private WeakReference<Thread> holderInAPeriodThatEnds(Starvation starvation) {
        try (HeldCarriers all = new HeldCarriers()) {
            sample(starvation, all, 0);
            sample(starvation, all, AFTER);
            assertThat(starvation.current()).isNotNull();
            free(starvation, all, 2 * AFTER);
            return new WeakReference<>(all.holder());
        }
    }

    @Test
    void aThreadThatTookUpSomethingElseSinceHalfTimeHasMoved() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            sample(starvation, all, AFTER / 2);
            all.release();
            try (HeldCarriers others = new HeldCarriers()) {
                sample(starvation, others, AFTER);
            }
            assertThat(Objects.requireNonNull(starvation.current()).verdict())
                    .contains("Overload, not a deadlock: ");
        }
    }

    @Test
    void aPeriodInWhichNothingMovesIsStuckFromItsDiagnosisToItsEnd() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, all, 0);
            sample(starvation, all, AFTER - 1);
            assertThat(starvation.stuck()).isNull();
            sample(starvation, all, AFTER);
            String verdict = Objects.requireNonNull(starvation.current()).verdict();
            assertThat(starvation.stuck()).isEqualTo(new Starvation.Stuck(verdict, true, 0));
            free(starvation, all, AFTER + 1);
            assertThat(starvation.stuck()).isEqualTo(new Starvation.Stuck(verdict, false, 0));
            free(starvation, all, AFTER + SECOND);
            assertThat(starvation.stuck()).as("it is over").isNull();
            sample(starvation, all, 3 * AFTER);
            assertThat(starvation.stuck()).as("another one began").isNull();
        }
    }

    @Test
    void anOverloadIsNotStuckBeforeItHasStoodStillForAsLong() {
        HeldCarriers all = new HeldCarriers();
        Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
        sample(starvation, all, 0);
        all.release();
        try (HeldCarriers others = new HeldCarriers()) {
            sample(starvation, others, AFTER);
            Diagnosis overload = Objects.requireNonNull(starvation.current());
            assertThat(overload.verdict()).contains("Overload, not a deadlock: ");
            assertThat(overload.remedy()).isNull();
            assertThat(overload.overload()).isTrue();
            sample(starvation, others, 2 * AFTER - 1);
            assertThat(starvation.stuck()).isNull();
            assertThat(starvation.current()).isSameAs(overload);

            sample(starvation, others, 2 * AFTER);
            Starvation.Stuck stuck = Objects.requireNonNull(starvation.stuck());
            assertThat(stuck.changes()).isPositive();
            Diagnosis diagnosis = Objects.requireNonNull(starvation.current());
            assertThat(diagnosis.overload()).isFalse();
            assertThat(diagnosis.verdict())
                    .isEqualTo(stuck.verdict())
                    .contains("None of them took up another thread");
            assertThat(diagnosis.starvedNanos()).isEqualTo(2 * AFTER);
            sample(starvation, others, 4 * AFTER);
            assertThat(starvation.current()).as("once").isSameAs(diagnosis);
        }
    }

    @Test
    void theOptionThatWouldAddCarriersIsNamedUnlessSomebodyAddsThem() {
        try (HeldCarriers all = new HeldCarriers()) {
            for (boolean relieved : new boolean[] {false, true}) {
                sampledAtNanos = Long.MIN_VALUE;
                Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> relieved);
                sample(starvation, all, 0);
                sample(starvation, all, AFTER);
                assertThat(Objects.requireNonNull(starvation.current()).remedy())
                        .isEqualTo(
                                relieved
                                        ? null
                                        : "relief=stuck would add carriers, one at a time, until"
                                                + " something moves");
            }
        }
    }

    @Test
    void withoutCarriersOrWithOneThatIsFreeNothingStarves() {
        try (HeldCarriers all = new HeldCarriers()) {
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, SECOND, List.of(), 0, 0, List::of);
            free(starvation, all, SECOND);
            assertThat(starvation.periods()).isZero();
        }
    }

    @Test
    void aCarrierThatIsIdleThoughWorkIsQueuedHelpsNobody() {
        try (HeldCarriers all = new HeldCarriers()) {
            List<Thread> carriers = new ArrayList<>(all.carriers());
            carriers.add(Thread.currentThread());
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, SECOND, carriers, carriers.size() - 1, 0, List::of);
            assertThat(starvation.periods()).as("it may be about to take something up").isZero();
            sample(starvation, SECOND, carriers, carriers.size() - 1, 1, List::of);
            assertThat(starvation.periods()).isEqualTo(1);
        }
    }

    @Test
    void whileFewerAreHeldThanTheSchedulerAimsAtOthersAreWoken() {
        try (HeldCarriers all = new HeldCarriers()) {
            int carriers = all.carriers().size();
            Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
            sample(starvation, SECOND, all.carriers(), carriers - 1, 1, List::of);
            assertThat(starvation.periods()).isZero();
        }
    }

    @Test
    void withoutWorkNobodyStarvesThoughAllAreHeld() {
        HeldCarriers all = new HeldCarriers();
        List<Thread> carriers = all.carriers();
        all.release();
        Starvation starvation = new Starvation(all.pool(), AFTER, 8, () -> false);
        while (all.pool().isWorkQueued()) {
            Thread.onSpinWait();
        }
        sample(starvation, SECOND, carriers, carriers.size(), 0, List::of);
        assertThat(starvation.periods()).isZero();
    }

    private void sample(Starvation starvation, HeldCarriers all, long nowNanos) {
        sample(starvation, nowNanos, all.carriers(), all.carriers().size(), 0, List::of);
    }

    /** One of the carriers is not held. */
    private void free(Starvation starvation, HeldCarriers all, long nowNanos) {
        sample(starvation, nowNanos, all.carriers(), all.carriers().size() - 1, 0, List::of);
    }

    private void sample(
            Starvation starvation,
            long nowNanos,
            List<Thread> carriers,
            int held,
            int idle,
            Supplier<List<ActivePin>> active) {
        long elapsedNanos = sampledAtNanos == Long.MIN_VALUE ? 0 : nowNanos - sampledAtNanos;
        sampledAtNanos = nowNanos;
        starvation.sample(
                nowNanos,
                elapsedNanos,
                Math.min(elapsedNanos, MAX_FIRST),
                carriers,
                held,
                idle,
                active);
    }
}
