package io.vtagent.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.thread.AgentThread;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestPinsTest {
    private static final long SECOND = 1_000_000_000;

    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final TestPins pins =
            new TestPins(
                    new Measured(
                            ledger,
                            KeptPinsTest::report,
                            report -> report,
                            List::of,
                            new TextReport.Style(true, List.of())),
                    10);

    @AfterEach
    void close() {
        pins.close();
    }

    @Test
    void aThreadBelongsToTheTestAgainInWhichAnotherOneRan() {
        long outer = pins.begin();
        pins.end(pins.begin());
        assertThat(pins.owner()).isEqualTo(outer);

        pins.end(outer);
        assertThat(pins.owner()).isNull();
    }

    @Test
    void aThreadBelongsToNoTestThatIsOverOrRunsOnAnotherThread() throws InterruptedException {
        long test = pins.begin();
        AtomicReference<Object> owner = new AtomicReference<>("none was asked");
        Thread inheriting =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    pins.end(pins.begin());
                                    owner.set(pins.owner());
                                });
        inheriting.join();
        assertThat(owner.get()).isNull();
        long inner = pins.begin();
        pins.end(test);
        pins.end(inner);

        assertThat(pins.owner()).isNull();
    }

    @Test
    void aSampledPinBeganWithTheTestAtTheEarliestIfItsThreadDid() {
        Thread before = Thread.ofVirtual().unstarted(() -> {});
        long test = pins.begin();
        Thread within = Thread.ofVirtual().unstarted(() -> {});
        pins.ended(pin(before, false));
        pins.ended(pin(within, false));

        List<PinFigures> reported = pins.since(test).pins();
        assertThat(reported)
                .extracting(PinFigures::threadId)
                .containsExactly(before.threadId(), within.threadId());
        assertThat(reported.get(0).beganNanos()).isNegative();
        assertThat(reported.get(1).beganNanos()).isZero();
        pins.end(test);
    }

    @Test
    void aSampledPinBelongsToTheTestOfAnEarlierPinOfItsThread() {
        long test = pins.begin();
        Thread thread = Thread.ofVirtual().unstarted(() -> {});
        pins.ended(pin(thread, true));
        pins.ended(pin(thread, false));
        pins.ended(pin(Thread.ofVirtual().unstarted(() -> {}), false));

        assertThat(pins.since(test).pins())
                .extracting(PinFigures::test)
                .containsExactly(test, test, 0L);
        pins.end(test);
    }

    @Test
    void aSampledPinInProgressHasItsStackThoughItsThreadHasEnded() throws InterruptedException {
        Thread thread = Thread.startVirtualThread(() -> {});
        thread.join();
        String frame = "a.B.c(B.java:12)";
        PinnedStack stack =
                new PinnedStack(
                        List.of(frame),
                        0,
                        "a.B.c:12",
                        PinnedStack.Cause.NATIVE,
                        null,
                        "",
                        null,
                        null,
                        Map.of());
        ActivePin seen =
                ActivePins.of(
                        PinKind.NATIVE,
                        PinReason.NATIVE,
                        SECOND,
                        thread,
                        Thread.currentThread(),
                        false,
                        ledger.siteOf(PinKind.NATIVE, PinReason.NATIVE, stack),
                        null);
        TestPins sampled =
                new TestPins(
                        new Measured(
                                ledger,
                                KeptPinsTest::report,
                                report -> report,
                                () -> List.of(seen),
                                new TextReport.Style(true, List.of())),
                        10);
        long test = sampled.begin();

        assertThat(sampled.since(test).pins())
                .singleElement()
                .extracting(PinFigures::stack)
                .isEqualTo(List.of(frame));
        sampled.end(test);
        sampled.close();
    }

    /** The thread of a pin that ends while it is being published can be anywhere by then. */
    @Test
    void aPinInProgressHasTheStackThatItHadThen() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().start(() -> pinned(over));
        await().until(() -> thread.getState() == Thread.State.WAITING);
        ActivePin inProgress =
                ActivePins.of(
                        PinKind.PARK,
                        PinReason.NATIVE,
                        SECOND,
                        thread,
                        Thread.currentThread(),
                        false,
                        null,
                        null);
        Supplier<PinReport> later =
                () -> {
                    over.countDown();
                    AgentThread.join(thread, Long.MAX_VALUE);
                    return KeptPinsTest.report();
                };
        TestPins sampled =
                new TestPins(
                        new Measured(
                                ledger,
                                later,
                                report -> report,
                                () -> List.of(inProgress),
                                new TextReport.Style(true, List.of())),
                        10);
        long test = sampled.begin();

        assertThat(sampled.since(test).pins())
                .singleElement()
                .satisfies(
                        pin ->
                                assertThat(pin.stack())
                                        .anyMatch(frame -> frame.contains("TestPinsTest.pinned(")));
        sampled.end(test);
        sampled.close();
    }

    private static void pinned(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @Test
    void whenNoTestRunsNothingIsKept() {
        long test = pins.begin();
        long another = pins.begin();
        WeakReference<String> kept = pinOfAThreadThatGoes();
        pins.end(another);
        assertThat(pins.since(test).pins()).extracting(PinFigures::thread).containsExactly("goes");

        pins.end(test);
        await().until(
                        () -> {
                            System.gc();
                            return kept.refersTo(null);
                        });
    }

    @Test
    void aWhileAfterTheLastTestStacksAreNotWalkedWhateverTheyCostAnyMore() {
        pins.end(pins.begin());
        pins.tidy(System.nanoTime());
        assertThat(ledger.walksWhateverItCosts()).isTrue();
        long test = pins.begin();
        pins.tidy(System.nanoTime() + 2 * TestPins.KEPT_ON_NANOS);
        assertThat(ledger.walksWhateverItCosts()).as("during a test").isTrue();
        pins.end(test);

        pins.tidy(System.nanoTime() + 2 * TestPins.KEPT_ON_NANOS);
        assertThat(ledger.walksWhateverItCosts()).isFalse();
        pins.end(pins.begin());
        assertThat(ledger.walksWhateverItCosts()).as("begun again").isTrue();
    }

    @Test
    void testsThatNobodyEndsAreForgotten() {
        long abandoned = pins.begin();
        for (int i = 0; i < TestPins.MAX_TESTS; i++) {
            pins.begin();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> pins.since(abandoned));

        pins.tidy(System.nanoTime() + 2 * TestPins.MAX_TEST_NANOS);
        assertThat(ledger.walksWhateverItCosts()).isFalse();
    }

    private WeakReference<String> pinOfAThreadThatGoes() {
        // a name that is no constant
        Thread thread = Thread.ofVirtual().name(String.join("", "go", "es")).unstarted(() -> {});
        pins.ended(pin(thread, true));
        return new WeakReference<>(thread.getName());
    }

    /** Returns a pin of the last second. */
    private static EndedPin pin(Thread thread, boolean onItsThread) {
        return new EndedPin(
                PinKind.NATIVE,
                PinReason.NONE,
                false,
                null,
                SECOND,
                System.nanoTime(),
                thread,
                thread.threadId(),
                onItsThread);
    }
}
