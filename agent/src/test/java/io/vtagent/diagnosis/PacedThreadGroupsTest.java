package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PacedThreadGroupsTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void aSecondRequestGetsTheSameReading() throws ReflectiveOperationException {
        PacedThreadGroups paced = new PacedThreadGroups(reader());
        PacedThreadGroups.Reading first = Objects.requireNonNull(paced.newest());

        PacedThreadGroups.Reading second = Objects.requireNonNull(paced.newest());

        assertThat(second.groups()).isSameAs(first.groups());
        assertThat(second.ageNanos()).isGreaterThan(first.ageNanos());
        assertThat(first.nextNanos()).isBetween(SECOND / 2, 30 * SECOND);
        assertThat(paced.failure()).isNull();
    }

    @Test
    void theAgeOfAReadingIsTheTimeSinceIt() throws ReflectiveOperationException {
        PacedThreadGroups paced = new PacedThreadGroups(reader());
        long beganNanos = System.nanoTime();
        PacedThreadGroups.Reading first = Objects.requireNonNull(paced.newest());
        PacedThreadGroups.Reading second = Objects.requireNonNull(paced.newest());

        assertThat(first.ageNanos()).isNotNegative();
        assertThat(second.ageNanos()).isLessThan(System.nanoTime() - beganNanos);
    }

    @Test
    void aReadingThatHasBeenKeptLongEnoughIsReplacedWhicheverThreadAsks()
            throws ReflectiveOperationException {
        PacedThreadGroups paced = new PacedThreadGroups(reader());
        ThreadGroups first = Objects.requireNonNull(paced.newest()).groups();

        await().atMost(Duration.ofMinutes(2))
                .until(
                        () ->
                                CompletableFuture.supplyAsync(paced::newest)
                                                .thenApply(Objects::requireNonNull)
                                                .join()
                                                .groups()
                                        != first);
    }

    /** The first one is in progress. */
    @Test
    void aThreadThatIsInterruptedWhileItWaitsForAReadingGetsNone() throws Exception {
        ThreadGroupReader reader = reader();
        PacedThreadGroups paced = new PacedThreadGroups(reader);
        CompletableFuture<PacedThreadGroups.@Nullable Reading> first = new CompletableFuture<>();
        Thread reading = new Thread(() -> first.complete(paced.newest()));
        synchronized (reader) {
            reading.start();
            while (reading.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            Thread.currentThread().interrupt();
            assertThat(paced.newest()).isNull();
        }

        assertThat(first.get()).isNotNull();
        assertThat(paced.newest()).isNotNull();
    }

    private static ThreadGroupReader reader() throws ReflectiveOperationException {
        return new ThreadGroupReader(CarrierPool.ofThisJvm(), new FramesOfInterest(64));
    }

    @Test
    void aReadingIsKeptForFiftyTimesItsCpuTime() {
        assertThat(PacedThreadGroups.keptNanos(SECOND / 10)).isEqualTo(5 * SECOND);
        assertThat(PacedThreadGroups.keptNanos(0)).isEqualTo(SECOND);
        assertThat(PacedThreadGroups.keptNanos(SECOND)).isEqualTo(30 * SECOND);
    }
}
