package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vtagent.it.reference.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The figures of the agent, compared with a reference that is sampled without it, in short: two
 * minutes instead of the twenty that {@code docs/accuracy.md} takes, and bounds for a machine that
 * does other things too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AccuracyIT {
    private static final Duration LENGTH = Duration.ofMillis(500);
    private static final int CARRIERS = 8;

    private final List<Measurement> measurements = new ArrayList<>();

    @BeforeAll
    void measure() {
        // the noise of a garbage collection and of a start can only be distinguished on a quiet
        // machine
        List<Scenario> scenarios = new ArrayList<>(List.of(Scenario.values()));
        scenarios.removeAll(List.of(Scenario.GARBAGE, Scenario.START_UP));
        measurements.addAll(new ScenarioRunner(Jdks.all(), LENGTH, scenarios).agent());
        for (Measurement row : measurements) {
            System.out.printf(
                    Locale.ROOT,
                    "%s %-18s reference %6.3f s, of the time inside %5.1f %%, agent %6.3f s, of the"
                            + " reference %5.1f %%%n",
                    row.jdk(),
                    row.scenario(),
                    row.reference(),
                    100 * row.reference() / row.inside(),
                    row.observed(),
                    100 * row.share());
        }
    }

    @Test
    void theReferenceAgreesWithTheTimesOfTheWorkloadsThreads() {
        assertThat(those(Measurement::isHeldAllTheTimeInside))
                .allSatisfy(
                        row ->
                                assertThat(row.reference() / row.inside())
                                        .isCloseTo(1, within(0.05 + row.doubt() / row.inside())));
    }

    @Test
    void theAgentCountsTheTimeThatCarriersAreHeld() {
        assertThat(those(row -> row.isHeld() && !row.scenario().isSampled()))
                .isNotEmpty()
                .allSatisfy(
                        row -> {
                            double bound = 0.05 + row.doubt() / row.reference();
                            assertThat(row.share()).isCloseTo(1, within(bound));
                            assertThat(row.shareInKind()).isGreaterThan(1 - bound);
                        });
        // some fifty samples, of a thread that has to wait for a CPU like any other
        assertThat(those(row -> row.isHeld() && row.scenario().isSampled()))
                .isNotEmpty()
                .allSatisfy(
                        row -> {
                            double bound = 0.15 + row.doubt() / row.reference();
                            assertThat(row.share()).isCloseTo(1, within(bound));
                            assertThat(row.shareInKind()).isGreaterThan(1 - bound);
                        });
    }

    @Test
    void whatOnlySamplesFindAndComesAtTimesCountsForAsLongAsItLasts() {
        // some hundred pins, each of which began at any time since the previous sample
        assertThat(those(row -> row.scenario() == Scenario.NATIVE_SLEEP_AT_TIMES))
                .isNotEmpty()
                .allSatisfy(
                        row ->
                                assertThat(row.share())
                                        .isCloseTo(1, within(0.1 + row.doubt() / row.reference())));
    }

    @Test
    void overAllItIsCloserStill() {
        List<Measurement> held = those(Measurement::isHeld);
        double reference = held.stream().mapToDouble(Measurement::reference).sum();
        double agent = held.stream().mapToDouble(Measurement::observed).sum();

        double doubt = held.stream().mapToDouble(Measurement::doubt).sum();
        assertThat(agent / reference).isCloseTo(1, within(0.02 + doubt / reference));
    }

    @Test
    void whereNothingIsHeldNothingIsReported() {
        assertThat(those(row -> !row.isHeld()))
                .isNotEmpty()
                .allSatisfy(
                        row -> {
                            assertThat(row.reference())
                                    .isLessThan(0.01 * CARRIERS * row.wall() + row.doubt());
                            assertThat(row.observed())
                                    .isLessThan(0.01 * CARRIERS * row.wall() + row.doubt());
                        });
    }

    private List<Measurement> those(Predicate<Measurement> wanted) {
        return measurements.stream().filter(wanted).toList();
    }
}
