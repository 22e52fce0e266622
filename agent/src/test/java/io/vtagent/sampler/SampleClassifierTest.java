package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.record.PinKind;
import io.vtagent.site.Snapshot;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asleep is parked; the tests say what the JVM tells of it. */
class SampleClassifierTest {
    private static final Thread CARRIER = new Thread(() -> {});

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread asleep = new Thread(this::sleep);
    private final SampleClassifier spent = new SampleClassifier(spent());
    private int asked;

    @BeforeEach
    void start() {
        asleep.start();
        while (asleep.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        asleep.join();
    }

    private void sleep() {
        try {
            end.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** For as long as no time passes there is nothing left. */
    private static StackBudget spent() {
        long[] usedNanos = {0};
        StackBudget budget = new StackBudget(() -> usedNanos[0]);
        budget.spend(() -> usedNanos[0] = StackBudget.FIRST_NANOS);
        return budget;
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, NATIVE, true",
        "false, true, JVM, false",
        "true, false, NATIVE, false",
        "false, false, NATIVE, false"
    })
    void withoutAStackTheJvmTellsWhetherItIsNativeCode(
            boolean inNativeCode, boolean still, PinKind kind, boolean known) {
        CarrierSample sight = sight(false, inNativeCode, still);
        assertThat(spent.stack(sight, null)).isNull();

        BlockingState sleep = spent.sleep(sight, null, null);

        assertThat(sleep.kind(false)).isEqualTo(kind);
        assertThat(sleep.inNativeMethod()).as("known to be").isEqualTo(known);
    }

    /** What it says then may be of what comes next. */
    @Test
    void whatTheJvmTellsOfASleepThatIsOverByThenIsNotOfIt() {
        CarrierSample sight =
                new CarrierSample(
                        CARRIER,
                        asleep,
                        false,
                        () -> 1,
                        () -> asked == 0,
                        this::asked,
                        () -> false,
                        () -> true);
        assertThat(spent.sleep(sight, null, spent.stack(sight, null)))
                .isEqualTo(BlockingState.UNKNOWN);

        asked = 0;
        SampleClassifier reader = new SampleClassifier(new StackBudget(System::nanoTime));
        Snapshot stack = Objects.requireNonNull(reader.unlessItWentOn(reader.stack(sight, null)));
        assertThat(reader.sleep(sight, null, stack)).isEqualTo(BlockingState.in(stack, false));
    }

    private HotSpot.Moment asked() {
        asked++;
        return new HotSpot.Moment(HotSpot.State.NATIVE, null);
    }

    @Test
    void ofTheSameNapItIsKnownAlready() {
        BlockingState before = spent.sleep(sight(false, true, true), null, null);
        CarrierSample again = sight(false, false, true);
        SampledPin earlier = pin(1, before);

        assertThat(spent.sleep(again, earlier, null)).isEqualTo(before);
        assertThat(asked).isEqualTo(1);
        assertThat(spent.sleep(again, pin(2, before), null).kind(false)).isEqualTo(PinKind.JVM);
    }

    /** It may not have proved by then that it does. */
    @Test
    void whatTheJvmDidNotSayOfANapIsAskedAgain() {
        HotSpot.Moment[] answer = {HotSpot.Moment.UNKNOWN};
        CarrierSample sight =
                new CarrierSample(
                        CARRIER,
                        asleep,
                        false,
                        () -> 1,
                        () -> true,
                        () -> answer[0],
                        () -> false,
                        () -> true);
        BlockingState before = spent.sleep(sight, pin(1, BlockingState.IN_JVM), null);
        assertThat(before.kind(false)).isEqualTo(PinKind.JVM);

        answer[0] =
                new HotSpot.Moment(HotSpot.State.BLOCKED, new HotSpot.AwaitedClass("shop.Cart", 1));
        assertThat(spent.sleep(sight, pin(1, before), null))
                .isEqualTo(BlockingState.waitingFor("shop.Cart"));
    }

    @Test
    void whoWaitsToEnterAMonitorIsNotAsked() {
        assertThat(spent.sleep(sight(true, true, true), null, null))
                .isEqualTo(BlockingState.UNKNOWN);
        assertThat(asked).isZero();
    }

    /** Whoever calls java.lang.foreign has frames that look like Java. */
    @ParameterizedTest
    @CsvSource({"true, NATIVE", "false, JVM"})
    void besideAStackTheJvmTellsItToo(boolean inNativeCode, PinKind kind) {
        SampleClassifier reader = new SampleClassifier(new StackBudget(System::nanoTime));
        CarrierSample sight = sight(false, inNativeCode, true);
        Snapshot stack = reader.unlessItWentOn(reader.stack(sight, null));

        assertThat(stack).isNotNull();
        assertThat(reader.sleep(sight, null, stack).kind(false)).isEqualTo(kind);
    }

    @Test
    void theStackOfWhatItDidNextIsNoStack() {
        SampleClassifier reader = new SampleClassifier(new StackBudget(System::nanoTime));
        Snapshot taken = reader.stack(sight(false, true, false), null);

        assertThat(taken).isNotNull();
        assertThat(reader.unlessItWentOn(taken)).isNull();
    }

    private static SampledPin pin(long nap, BlockingState sleep) {
        return SampledPin.seen(
                CARRIER, Thread.currentThread(), false, nap, DurationEstimate.once(1), null, sleep);
    }

    private CarrierSample sight(boolean entering, boolean inNativeCode, boolean still) {
        return new CarrierSample(
                CARRIER,
                asleep,
                entering,
                () -> 1,
                () -> still,
                () -> {
                    asked++;
                    return new HotSpot.Moment(
                            inNativeCode ? HotSpot.State.NATIVE : HotSpot.State.BLOCKED, null);
                },
                () -> false,
                () -> true);
    }
}
