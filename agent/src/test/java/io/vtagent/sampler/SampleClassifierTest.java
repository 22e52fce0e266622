package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.pin.PinKind;
import io.vtagent.site.Snapshot;
import io.vtagent.usage.StackBudget;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sleeping thread is parked. The tests supply what the JVM reports about it. */
class SampleClassifierTest {
    private static final Thread CARRIER = new Thread(() -> {});

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread sleeping = new Thread(this::sleep);
    private final SampleClassifier spent = new SampleClassifier(spent());
    private int asked;

    @BeforeEach
    void start() {
        sleeping.start();
        while (sleeping.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        sleeping.join();
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
    void withoutAStackTheJvmReportsWhetherItIsNativeCode(
            boolean inNativeCode, boolean still, PinKind kind, boolean known) {
        CarrierSample sample = sample(false, inNativeCode, still);
        assertThat(spent.stack(sample, null)).isNull();

        BlockingState sleep = spent.state(sample, null, null);

        assertThat(sleep.kind(false)).isEqualTo(kind);
        assertThat(sleep.inNativeMethod()).as("known to be").isEqualTo(known);
    }

    /** The answer may then belong to the next sleep. */
    @Test
    void anAnswerOfTheJvmAfterTheEndOfTheSleepIsIgnored() {
        CarrierSample sample =
                new CarrierSample(
                        CARRIER,
                        sleeping,
                        false,
                        () -> 1,
                        () -> asked == 0,
                        this::asked,
                        () -> false,
                        () -> true,
                        () -> null);
        assertThat(spent.state(sample, null, spent.stack(sample, null)))
                .isEqualTo(BlockingState.UNKNOWN);

        asked = 0;
        SampleClassifier classifier = new SampleClassifier(new StackBudget(System::nanoTime));
        Snapshot stack =
                Objects.requireNonNull(classifier.unlessResumed(classifier.stack(sample, null)));
        assertThat(classifier.state(sample, null, stack)).isEqualTo(BlockingState.in(stack, false));
    }

    private HotSpot.Moment asked() {
        asked++;
        return new HotSpot.Moment(HotSpot.State.NATIVE, null);
    }

    @Test
    void theStateOfTheSameSleepIsKnownAlready() {
        BlockingState before = spent.state(sample(false, true, true), null, null);
        CarrierSample again = sample(false, false, true);
        SampledPin earlier = pin(1, before);

        assertThat(spent.state(again, earlier, null)).isEqualTo(before);
        assertThat(asked).isEqualTo(1);
        assertThat(spent.state(again, pin(2, before), null).kind(false)).isEqualTo(PinKind.JVM);
    }

    /** It may not have proved by then that it does. */
    @Test
    void theJvmIsAskedAgainIfItDidNotKnow() {
        HotSpot.Moment[] answer = {HotSpot.Moment.UNKNOWN};
        CarrierSample sample =
                new CarrierSample(
                        CARRIER,
                        sleeping,
                        false,
                        () -> 1,
                        () -> true,
                        () -> answer[0],
                        () -> false,
                        () -> true,
                        () -> null);
        BlockingState before = spent.state(sample, pin(1, BlockingState.IN_JVM), null);
        assertThat(before.kind(false)).isEqualTo(PinKind.JVM);

        answer[0] =
                new HotSpot.Moment(HotSpot.State.BLOCKED, new HotSpot.AwaitedClass("shop.Cart", 1));
        assertThat(spent.state(sample, pin(1, before), null))
                .isEqualTo(BlockingState.waitingFor("shop.Cart"));
    }

    @Test
    void aThreadThatWaitsToEnterAMonitorIsNotAsked() {
        assertThat(spent.state(sample(true, true, true), null, null))
                .isEqualTo(BlockingState.UNKNOWN);
        assertThat(asked).isZero();
    }

    /** The frames of a thread that calls java.lang.foreign look like Java frames. */
    @ParameterizedTest
    @CsvSource({"true, NATIVE", "false, JVM"})
    void withAStackTheJvmReportsItToo(boolean inNativeCode, PinKind kind) {
        SampleClassifier classifier = new SampleClassifier(new StackBudget(System::nanoTime));
        CarrierSample sample = sample(false, inNativeCode, true);
        Snapshot stack = classifier.unlessResumed(classifier.stack(sample, null));

        assertThat(stack).isNotNull();
        assertThat(classifier.state(sample, null, stack).kind(false)).isEqualTo(kind);
    }

    @Test
    void theStackOfWhatItDidNextIsNoStack() {
        SampleClassifier classifier = new SampleClassifier(new StackBudget(System::nanoTime));
        Snapshot taken = classifier.stack(sample(false, true, false), null);

        assertThat(taken).isNotNull();
        assertThat(classifier.unlessResumed(taken)).isNull();
    }

    private static SampledPin pin(long sleepId, BlockingState sleep) {
        return SampledPin.firstSample(
                CARRIER,
                Thread.currentThread(),
                false,
                sleepId,
                DurationEstimate.firstSample(1),
                null,
                sleep);
    }

    private CarrierSample sample(boolean entering, boolean inNativeCode, boolean still) {
        return new CarrierSample(
                CARRIER,
                sleeping,
                entering,
                () -> 1,
                () -> still,
                () -> {
                    asked++;
                    return new HotSpot.Moment(
                            inNativeCode ? HotSpot.State.NATIVE : HotSpot.State.BLOCKED, null);
                },
                () -> false,
                () -> true,
                () -> null);
    }
}
