package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vtagent.scheduler.QueueCounters.Kept;
import io.vtagent.site.FramesOfInterest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BusyCarriersTest {
    private static final long MILLI = 1_000_000;
    private static final long WINDOW = 10 * MILLI / 4;

    private final Thread carrier = new Thread("carrier");
    private final Thread thread = new Thread("virtual");
    private final Thread another = new Thread("another virtual");
    private final BusySites sites = new BusySites(2);
    private final Made made = new Made();
    private final BusyCarriers busy =
            new BusyCarriers(sites, made, 10 * MILLI, new FramesOfInterest(8, List.of("com.acme")));

    /** Made-up carriers. */
    private static final class Made implements BusyCarriers.Carriers {
        long now;
        Kept kept = Kept.YES;
        final Map<Thread, Thread> mounted = new HashMap<>();
        final Map<Thread, Long> cpu = new HashMap<>();
        long queued = -1;
        @Nullable List<StackTraceElement> frames = List.of(frame("com.acme.Sum", "add", 12));

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public BusyCarriers.Moment moment() {
            return (before, carrier) -> kept;
        }

        @Override
        public @Nullable Thread mountedOn(Thread carrier) {
            return mounted.get(carrier);
        }

        @Override
        public long cpuNanos(Thread carrier) {
            return cpu.getOrDefault(carrier, 0L);
        }

        @Override
        public long queuedNanos(Thread carrier) {
            return queued;
        }

        @Override
        public @Nullable List<StackTraceElement> frames(Thread thread) {
            return frames;
        }
    }

    private static StackTraceElement frame(String type, String method, int line) {
        boolean jdk = type.startsWith("java.");
        return new StackTraceElement(
                null, jdk ? "java.base" : null, null, type, method, "A.java", line);
    }

    /** A sample of the carrier with {@code mounted} running, that many milliseconds later. */
    private void sample(long laterMillis, @Nullable Thread mounted) {
        later(laterMillis, laterMillis, mounted);
        busy.begin();
        if (mounted != null) {
            busy.add(carrier, mounted);
        }
        busy.end(made.now, laterMillis * MILLI);
    }

    private void later(long millis, long computedMillis, @Nullable Thread mounted) {
        made.now += millis * MILLI;
        made.cpu.merge(carrier, computedMillis * MILLI, Long::sum);
        made.mounted.put(carrier, mounted);
    }

    private void check(long laterMillis, @Nullable Thread mounted) {
        later(laterMillis, laterMillis, mounted);
        busy.check(made.now);
    }

    private BusySite only() {
        assertThat(sites.sites()).hasSize(1);
        return sites.sites().getFirst();
    }

    @Test
    void aThreadThatComputesForTheThresholdIsBusyAtItsLine() {
        sample(10, thread);
        sample(10, thread);

        assertThat(only().site()).isEqualTo("com.acme.Sum.add:12");
        assertThat(only().count()).isEqualTo(1);
        assertThat(only().nanos()).isEqualTo(15 * MILLI);
        assertThat(only().longestNanos()).isEqualTo(10 * MILLI);
        assertThat(sites.carriers()).isEqualTo(1);
    }

    @Test
    void itsTimeIsThatFromTheFirstSampleToTheLastAndHalfAnIntervalOnEitherSide() {
        sample(10, thread);
        sample(10, thread);
        sample(10, thread);
        sample(10, null);

        assertThat(only().nanos()).isEqualTo(30 * MILLI);
        assertThat(only().count()).isEqualTo(1);
        assertThat(sites.carriers()).isZero();
    }

    @Test
    void aCheckFindsItWhileSamplesAreFarApart() {
        sample(100, thread);
        assertThat(busy.nanosToCheck(made.now)).isBetween(10 * MILLI, 11 * MILLI);
        check(10, thread);

        assertThat(only().nanos()).isEqualTo(100 * MILLI);
    }

    @Test
    void afterTheThresholdACheckFindsWhetherItEndsInTheWindow() {
        sample(100, thread);
        check(10, thread);
        assertThat(busy.nanosToCheck(made.now)).isBetween(WINDOW, WINDOW + MILLI);
        check(3, thread);

        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
        sample(1, null);
        assertThat(only().nanos()).isEqualTo(100 * MILLI);
    }

    @Test
    void oneThatEndsInTheWindowCountsForThoseThatWereHitTooLate() {
        sample(100, thread);
        check(10, thread);
        check(4, null);

        assertThat(only().nanos()).isEqualTo(100 * MILLI + 100 * MILLI * 10 / 4);
        assertThat(only().longestNanos()).isEqualTo(10 * MILLI);
    }

    @Test
    void whatIsShorterThanTheIntervalCountsAsTheIntervalAndHalfOfItIsAddedToWhatIsLonger() {
        sample(100, thread);
        sample(90, thread);
        assertThat(only().nanos()).isEqualTo(100 * MILLI);
        sample(20, thread);

        assertThat(only().nanos()).isEqualTo(160 * MILLI);
    }

    @Test
    void aSampleBeforeTheEndOfTheWindowDecidesNothing() {
        sample(100, thread);
        check(10, thread);
        sample(1, thread);
        sample(1, null);

        assertThat(only().nanos()).isEqualTo(100 * MILLI + 100 * MILLI * 10 * MILLI / WINDOW);
    }

    @Test
    void aCheckAtTheEndOfTheWindowIsMadeAlsoJustAfterASample() {
        sample(400, thread);
        check(100, thread);
        sample(23, thread);
        check(3, thread);

        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void itCountsForFourOfItAtMostHoweverLateItBeganToCount() {
        made.kept = Kept.UNKNOWN;
        sample(100, thread);
        for (int i = 1; i < Spell.DOUBTFUL_SAMPLES; i++) {
            sample(11, thread);
        }
        sample(1, null);

        assertThat(only().nanos()).isEqualTo(5 * 100 * MILLI);
    }

    @Test
    void oneThatIsAsLongAsTheIntervalIsNeverHitTooLate() {
        sample(10, thread);
        sample(10, thread);

        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
        sample(1, null);
        assertThat(only().nanos()).isEqualTo(15_500_000);
    }

    @Test
    void theWindowOfOneCarrierDoesNotTakeTheCheckOfAnother() {
        Thread second = new Thread("carrier 2");
        sample(100, thread);
        check(10, thread);
        made.mounted.put(second, another);
        later(1, 1, thread);
        busy.begin();
        busy.add(carrier, thread);
        busy.add(second, another);
        busy.end(made.now, MILLI);
        check(2, thread);

        assertThat(busy.nanosToCheck(made.now)).isBetween(8 * MILLI, 9 * MILLI);
        made.cpu.put(second, 10 * MILLI);
        check(8, thread);
        assertThat(sites.carriers()).isEqualTo(2);
    }

    @Test
    void theCheckOfOneCarrierDoesNotTakeThatOfAnother() {
        Thread second = new Thread("carrier 2");
        sample(100, thread);
        later(6, 6, thread);
        made.mounted.put(second, another);
        busy.begin();
        busy.add(carrier, thread);
        busy.add(second, another);
        busy.end(made.now, 6 * MILLI);
        check(5, thread);

        assertThat(sites.carriers()).isEqualTo(1);
        made.cpu.put(second, 10 * MILLI);
        check(5, thread);
        assertThat(sites.carriers()).isEqualTo(2);
    }

    @Test
    void aDoubtfulOneIsNotCheckedBesideASample() {
        made.kept = Kept.UNKNOWN;
        sample(100, thread);
        sample(100, thread);

        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
    }

    /**
     * Computes for {@code lengthMillis} at a time, sampled as the sampler does. Returns the part of
     * it that is counted.
     */
    private double countedPart(BusyCarriers busy, int lengthMillis) {
        long lengthNanos = lengthMillis * MILLI;
        long everyNanos = Math.max(500 * MILLI, 3 * lengthNanos);
        long spells = 40_000;
        Random random = new Random(lengthMillis);
        while (made.now < spells * everyNanos) {
            long meanNanos = busy.isBusyForShort() ? 20 * MILLI : 100 * MILLI;
            long intervalNanos = meanNanos / 2 + random.nextLong(meanNanos);
            long nextNanos = made.now + intervalNanos;
            busy.checkWithin(
                    intervalNanos,
                    nanos -> {
                        moveTo(made.now + nanos, everyNanos, lengthNanos);
                        busy.check(made.now);
                        return true;
                    });
            moveTo(nextNanos, everyNanos, lengthNanos);
            busy.begin();
            Thread mounted = made.mounted.get(carrier);
            if (mounted != null) {
                busy.add(carrier, mounted);
            }
            busy.end(made.now, intervalNanos);
        }
        return (double) only().nanos() / (spells * lengthNanos);
    }

    private void moveTo(long nanos, long everyNanos, long lengthNanos) {
        made.now = nanos;
        long spell = nanos / everyNanos;
        long sinceNanos = nanos % everyNanos;
        made.cpu.put(carrier, spell * lengthNanos + Math.min(sinceNanos, lengthNanos));
        Thread running = spell % 2 == 0 ? thread : another;
        made.mounted.put(carrier, sinceNanos < lengthNanos ? running : null);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2",
        "1, 20",
        "1, 200",
        "10, 14",
        "10, 15",
        "10, 20",
        "10, 30",
        "10, 50",
        "10, 70",
        "10, 100",
        "10, 150",
        "10, 300",
        "100, 300",
        "100, 1000",
        "1000, 1200",
        "1000, 3000"
    })
    void theTimeOfManySpellsIsRight(int thresholdMillis, int lengthMillis) {
        BusyCarriers any =
                new BusyCarriers(
                        sites, made, thresholdMillis * MILLI, new FramesOfInterest(8, List.of()));

        assertThat(countedPart(any, lengthMillis)).isBetween(0.9, 1.1);
    }

    @Test
    void oneCheckIsMadeBetweenTwoSamples() {
        sample(100, thread);
        later(11, 5, thread);
        busy.check(made.now);

        assertThat(sites.sites()).isEmpty();
        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
        sample(95, thread);
        assertThat(only().count()).isEqualTo(1);
    }

    @Test
    void aCheckThatIsNotDueSamplesNothing() {
        sample(100, thread);
        check(5, null);
        check(5, thread);

        assertThat(only().count()).isEqualTo(1);
    }

    @Test
    void samplesThatAreCloserThanTheThresholdProveNothing() {
        sample(10, thread);
        sample(9, thread);
        sample(9, another);

        assertThat(sites.sites()).isEmpty();
    }

    @Test
    void aThreadThatWasUnmountedInBetweenIsNotBusy() {
        made.kept = Kept.NO;
        for (int i = 0; i < 10; i++) {
            sample(10, thread);
        }

        assertThat(sites.sites()).isEmpty();
    }

    @Test
    void itCountsFromTheFirstSampleSinceThen() {
        sample(10, thread);
        made.kept = Kept.NO;
        sample(10, thread);
        made.kept = Kept.YES;
        sample(10, thread);

        assertThat(only().longestNanos()).isEqualTo(10 * MILLI);
        assertThat(only().nanos()).isEqualTo(15 * MILLI);
    }

    @Test
    void aCheckFindsThatItIsNoLongerBusy() {
        sample(100, thread);
        check(10, thread);
        assertThat(sites.carriers()).isEqualTo(1);
        check(20, null);

        assertThat(sites.carriers()).isZero();
        assertThat(only().nanos()).isEqualTo(150 * MILLI);
    }

    @Test
    void asLongAsItIsBusyForShortAndJustAfterwardsItIsSampledSoon() {
        assertThat(busy.isBusyForShort()).isFalse();
        sample(10, thread);
        assertThat(busy.isBusyForShort()).isFalse();
        sample(10, thread);
        assertThat(busy.isBusyForShort()).isTrue();
        for (int i = 0; i < 20; i++) {
            sample(100, thread);
        }
        assertThat(busy.isBusyForShort()).as("for long").isFalse();

        sample(100, null);
        assertThat(busy.isBusyForShort()).as("a moment ago").isTrue();
        made.now += 100 * MILLI - 1;
        assertThat(busy.isBusyForShort()).isTrue();
        made.now++;
        assertThat(busy.isBusyForShort()).isFalse();
    }

    @Test
    void aDoubtNeedsMoreSamples() {
        made.kept = Kept.UNKNOWN;
        for (int i = 1; i < Spell.DOUBTFUL_SAMPLES; i++) {
            sample(10, thread);
        }
        assertThat(sites.sites()).isEmpty();
        sample(10, thread);

        assertThat(only().longestNanos()).isEqualTo((Spell.DOUBTFUL_SAMPLES - 1) * 10 * MILLI);
    }

    @Test
    void aSafepointIsNoComputing() {
        sample(10, thread);
        later(30, 1, thread);
        busy.check(made.now);

        assertThat(sites.sites()).isEmpty();
    }

    @Test
    void onlyWhatItComputedCounts() {
        sample(10, thread);
        later(40, 20, thread);
        busy.check(made.now);

        assertThat(only().longestNanos()).isEqualTo(20 * MILLI);
        assertThat(only().nanos()).isEqualTo(22_500_000);
    }

    @Test
    void aWaitForACpuCountsOnceItIsKnownThatItWasOne() {
        made.queued = 500 * MILLI;
        sample(10, thread);
        later(10, 4, thread);
        busy.check(made.now);
        assertThat(sites.sites()).isEmpty();
        assertThat(busy.nanosToCheck(made.now)).isBetween(6 * MILLI, 7 * MILLI);
        made.queued = 507 * MILLI;
        later(10, 3, thread);
        busy.check(made.now);

        assertThat(only().longestNanos()).isEqualTo(14 * MILLI);
    }

    /** It gets a third of a CPU, and the kernel adds each wait when it is over. */
    private boolean checkCrowded(long nanos) {
        made.now += nanos;
        made.cpu.merge(carrier, nanos / 3, Long::sum);
        made.queued += nanos - nanos / 3;
        busy.check(made.now);
        return true;
    }

    @Test
    void aThreadThatHadToWaitForACpuIsCheckedOnceMoreBeforeTheNextSample() {
        made.queued = 500 * MILLI;
        sample(100, thread);
        busy.checkWithin(100 * MILLI, this::checkCrowded);

        assertThat(only().longestNanos()).isBetween(10 * MILLI, 15 * MILLI);
    }

    @Test
    void noCheckIsMadeAfterTheNextSampleIsDueOrWhenNoneMayBeMade() {
        sample(100, thread);
        busy.checkWithin(
                10 * MILLI,
                nanos -> {
                    throw new AssertionError(nanos);
                });
        busy.checkWithin(100 * MILLI, nanos -> false);

        assertThat(busy.nanosToCheck(made.now)).isBetween(10 * MILLI, 11 * MILLI);
    }

    @Test
    void whereNothingHasBeenBusyForLongSamplesAreRarer() {
        for (int i = 0; i < 119; i++) {
            sample(100, null);
        }
        for (int i = 0; i < 3; i++) {
            sample(100, thread);
            assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
        }
        sample(100, thread);
        check(10, thread);

        assertThat(only().nanos()).isEqualTo(400 * MILLI);
    }

    @Test
    void spellsThatAreTooShortToBeBusyDoNotMakeThemMoreFrequent() {
        for (int i = 0; i < 120; i++) {
            sample(100, i % 2 == 0 ? thread : another);
        }
        int searches = 0;
        for (int i = 0; i < 8; i++) {
            sample(100, i % 2 == 0 ? thread : another);
            searches += busy.nanosToCheck(made.now) == Long.MAX_VALUE ? 0 : 1;
        }
        assertThat(searches).isEqualTo(2);
        assertThat(sites.sites()).isEmpty();
    }

    @Test
    void theyAreFrequentForTenSecondsAfterOneWasBusy() {
        for (int i = 0; i < 60; i++) {
            sample(100, null);
        }
        sample(10, thread);
        sample(10, thread);
        for (int i = 0; i < 90; i++) {
            sample(100, null);
        }
        sample(100, another);
        assertThat(busy.nanosToCheck(made.now)).isLessThan(Long.MAX_VALUE);
        for (int i = 0; i < 10; i++) {
            sample(100, null);
        }
        sample(100, another);
        assertThat(busy.nanosToCheck(made.now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aLongSpellIsSampledMoreSeldomAndItsTimeIsComplete() {
        sample(10, thread);
        for (int i = 0; i < 100; i++) {
            sample(100, thread);
        }
        assertThat(only().longestNanos()).isBetween(9_500 * MILLI, 10_000 * MILLI);
        sample(100, null);

        assertThat(only().nanos()).isBetween(9_700 * MILLI, 10_100 * MILLI);
    }

    @Test
    void aThreadThatMostlyWaitsOnItsCarrierIsNotBusy() {
        sample(10, thread);
        for (int i = 0; i < 20; i++) {
            later(100, 2, thread);
            busy.begin();
            busy.add(carrier, thread);
            busy.end(made.now, 100 * MILLI);
        }
        assertThat(sites.sites()).isEmpty();

        sample(10, thread);
        assertThat(only().longestNanos()).as("since then").isLessThan(20 * MILLI);
    }

    @Test
    void theTimeIsSplitBetweenTheSitesAndTheSpellCountsAtTheFirst() {
        sample(10, thread);
        sample(10, thread);
        made.frames = List.of(frame("com.acme.Product", "multiply", 7));
        sample(10, thread);
        sample(10, thread);

        assertThat(sites.sites())
                .extracting(
                        BusySite::site, BusySite::count, BusySite::nanos, BusySite::longestNanos)
                .containsExactlyInAnyOrder(
                        tuple("com.acme.Sum.add:12", 1L, 15 * MILLI, 30 * MILLI),
                        tuple("com.acme.Product.multiply:7", 0L, 20 * MILLI, 30 * MILLI));
    }

    @Test
    void theSiteIsTheInnermostFrameThatIsNotTheJdks() {
        made.frames =
                List.of(
                        frame("java.util.HashMap", "hash", 3),
                        frame("org.lib.Pool", "borrow", 28),
                        frame("com.acme.Basket", "add", 5));
        sample(10, thread);
        sample(10, thread);

        assertThat(only().site()).isEqualTo("org.lib.Pool.borrow:28");
        assertThat(only().caller()).isEqualTo("com.acme.Basket.add:5");
    }

    @Test
    void aStackOfTheJdkAloneHasItsInnermostFrame() {
        made.frames = List.of(frame("java.util.HashMap", "hash", 3));
        sample(10, thread);
        sample(10, thread);

        assertThat(only().site()).isEqualTo("java.util.HashMap.hash:3");
    }

    @Test
    void whatHasNoStackIsUnattributed() {
        made.frames = null;
        sample(10, thread);
        sample(10, thread);

        assertThat(only().site()).isEqualTo("(unattributed)");
        assertThat(only().nanos()).isEqualTo(15 * MILLI);
    }

    @Test
    void aStackOfAThreadThatUnmountsIsNotThatOfItsSpell() {
        made.frames =
                List.of(
                        frame("java.util.concurrent.FutureTask", "run", 3),
                        frame("java.lang.VirtualThread", "park", 600),
                        frame("com.acme.Sum", "rest", 13));
        sample(10, thread);
        sample(10, thread);

        assertThat(only().site()).isEqualTo("(unattributed)");
    }

    @Test
    void withoutAStackTheTimeGoesToTheSiteBefore() {
        sample(10, thread);
        sample(10, thread);
        made.frames = null;
        sample(10, thread);

        assertThat(only().site()).isEqualTo("com.acme.Sum.add:12");
        assertThat(only().nanos()).isEqualTo(25 * MILLI);
    }

    @Test
    void sitesBeyondTheMaximumShareOne() {
        for (int line = 1; line <= 4; line++) {
            made.frames = List.of(frame("com.acme.Sum", "add", line));
            sample(10, thread);
            sample(10, thread);
            sample(10, null);
        }

        assertThat(sites.sites())
                .extracting(BusySite::site)
                .containsExactly("com.acme.Sum.add:1", "com.acme.Sum.add:2", "(other)");
        assertThat(sites.sites().getLast().count()).isEqualTo(2);
    }
}
