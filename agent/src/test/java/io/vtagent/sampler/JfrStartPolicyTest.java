package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.site.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JfrStartPolicyTest {
    private static final Thread CARRIER = new Thread(() -> {});
    private static final BlockingState IN_JVM = BlockingState.IN_JVM;
    private static final BlockingState IN_CODE = BlockingState.IN_NATIVE_CODE;
    private static final BlockingState FOR_CLASS = BlockingState.waitingFor("java.lang.String");

    private static final StackTraceElement LOADS =
            frame("jdk.internal.loader.BuiltinClassLoader", "loadClassOrNull");

    private int starts;
    private final JfrStartPolicy need = new JfrStartPolicy("shop.Wrapped"::equals, () -> starts++);

    @Test
    void pinsThatEventsWouldReportAddUpUntilEventsAreWorthTheirCost() {
        need.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS / 2));
        need.onSampled(
                List.of(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS / 2 - 1)), 0);
        assertThat(starts).isZero();
        need.onSampled(
                List.of(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS / 2)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void waitsForClassesWeighLess() {
        long nanos = JfrStartPolicy.CLASS_PART * JfrStartPolicy.WORTH_NANOS;
        need.ended(pin(false, FOR_CLASS, nanos / 2));
        need.onSampled(List.of(entering(nanos / 2 - JfrStartPolicy.CLASS_PART, LOADS)), 0);
        assertThat(starts).isZero();
        need.onSampled(List.of(entering(nanos / 2, LOADS)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void otherMonitorsOfAClassLoaderWeighAsMuchAsAny() {
        need.onSampled(
                List.of(
                        entering(
                                JfrStartPolicy.WORTH_NANOS,
                                frame("java.lang.ClassLoader", "getPackages"))),
                0);
        assertThat(starts).isOne();
    }

    /**
     * Instrumented classes time all other entries. The sampler counts a thread that loses a free
     * monitor, and JFR events for it are discarded.
     */
    @Test
    void monitorEntriesOfInstrumentedClassesWeighNothing() {
        need.onSampled(
                List.of(entering(2 * JfrStartPolicy.WORTH_NANOS, frame("shop.Wrapped", "sell"))),
                0);
        assertThat(starts).isZero();
        need.onSampled(
                List.of(entering(2 * JfrStartPolicy.WORTH_NANOS, frame("shop.Other", "sell"))), 0);
        assertThat(starts).isOne();
    }

    /** No event reports such a pin, which is known without a stack. */
    @Test
    void nativeCodeWeighsNothing() {
        need.onSampled(
                List.of(
                        withoutStack(false, 8 * JfrStartPolicy.WORTH_NANOS)
                                .withState(BlockingState.IN_NATIVE_CODE)),
                0);
        assertThat(starts).isZero();
        need.onSampled(
                List.of(
                        withoutStack(false, 8 * JfrStartPolicy.WORTH_NANOS)
                                .withState(BlockingState.IN_JVM)),
                0);
        assertThat(starts).isOne();
    }

    @Test
    void whatIsEnteredBelowAClassLoaderWeighsAsMuchAsAny() {
        need.onSampled(
                List.of(
                        entering(
                                JfrStartPolicy.WORTH_NANOS,
                                frame("java.util.Hashtable", "get"),
                                LOADS)),
                0);
        assertThat(starts).isOne();
    }

    @Test
    void whatTurnsOutToHaveBeenAWaitForAClassWeighsLess() {
        need.ended(
                pin(
                        true,
                        FOR_CLASS,
                        JfrStartPolicy.CLASS_PART * JfrStartPolicy.WORTH_NANOS
                                - JfrStartPolicy.CLASS_PART));
        need.onSampled(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, FOR_CLASS, JfrStartPolicy.CLASS_PART));
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    /**
     * A thread that waits for a class that another thread links has the state of one that enters a
     * monitor, until the wait is over.
     */
    @Test
    void whatMayBeAWaitForAClassWeighsLessUntilItIsOver() {
        BlockingState mayBeForClass = BlockingState.entering(List.of(String.class));
        need.onSampled(
                List.of(
                        pin(
                                true,
                                mayBeForClass,
                                JfrStartPolicy.CLASS_PART * (JfrStartPolicy.WORTH_NANOS - 1))),
                0);
        need.ended(pin(true, mayBeForClass, JfrStartPolicy.WORTH_NANOS - 1));
        need.onSampled(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, mayBeForClass, 1));
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void theyAreStartedOnce() {
        need.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        need.onSampled(List.of(), 0);
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void whereTheyCouldNotBeStartedItIsTriedAgainWhenThereIsTwiceAsMuch() {
        int[] tries = {0};
        JfrStartPolicy unlucky =
                new JfrStartPolicy(
                        type -> false,
                        () -> {
                            tries[0]++;
                            if (tries[0] == 1) {
                                throw new OutOfMemoryError("a test's");
                            }
                        });
        unlucky.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.onSampled(List.of(), 0))
                .isInstanceOf(OutOfMemoryError.class);
        unlucky.onSampled(List.of(), 0);
        assertThat(tries[0])
                .as("a sample that fails each time means a sampler that is down")
                .isOne();
        unlucky.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        unlucky.onSampled(List.of(), 0);
        unlucky.onSampled(List.of(), 0);
        assertThat(tries[0]).isEqualTo(2);
    }

    @Test
    void whereTheyCouldNotBeStartedAsMuchIsEnoughOnceAllIsForgotten() {
        int[] tries = {0};
        JfrStartPolicy unlucky =
                new JfrStartPolicy(
                        type -> false,
                        () -> {
                            tries[0]++;
                            throw new OutOfMemoryError("a test's");
                        });
        unlucky.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.onSampled(List.of(), 0))
                .isInstanceOf(OutOfMemoryError.class);
        sampleNothing(unlucky, JfrStartPolicy.WORTH_NANOS);
        unlucky.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.onSampled(List.of(), 0))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(tries[0]).isEqualTo(2);
    }

    @Test
    void pinsThatEventsWouldNotReportDoNotCount() {
        need.ended(pin(false, IN_CODE, JfrStartPolicy.WORTH_NANOS));
        need.onSampled(List.of(pin(false, IN_JVM, JfrStartPolicy.WORTH_NANOS)), 0);
        assertThat(starts).isZero();
    }

    @Test
    void aSingleSampleAfterAnIdlePeriodWeighsLittle() {
        DurationEstimate rest =
                DurationEstimate.firstSample(
                        JfrStartPolicy.WORTH_NANOS, JfrStartPolicy.WORTH_NANOS, 10_000_000);
        for (int i = 0; i < 49; i++) {
            need.ended(pin(true, BlockingState.UNKNOWN, rest));
        }
        need.onSampled(List.of(), 0);
        assertThat(starts).isZero();
        need.onSampled(List.of(pin(true, BlockingState.UNKNOWN, rest)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void waitsThatNothingElseCountsDoAndWeighMore() {
        need.waited(JfrStartPolicy.WORTH_NANOS / JfrStartPolicy.UNCOUNTED_WEIGHT - 1);
        need.onSampled(List.of(), JfrStartPolicy.FORGOTTEN_PART * JfrStartPolicy.WORTH_NANOS);
        assertThat(starts).isZero();
        need.waited(1);
        need.onSampled(List.of(), JfrStartPolicy.FORGOTTEN_PART * JfrStartPolicy.WORTH_NANOS);
        assertThat(starts).isOne();
    }

    /** A service's first requests wait for class initializers, and the next ones for nothing. */
    @Test
    void oldPinsAreForgotten() {
        long forgotten = JfrStartPolicy.WORTH_NANOS / 2;
        need.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS - 1));
        sampleNothing(need, forgotten);
        need.ended(pin(true, BlockingState.UNKNOWN, forgotten));
        need.onSampled(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, BlockingState.UNKNOWN, 1));
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    /**
     * With a sampling interval of 100 ms, a fiftieth of a carrier's time is a single-sample pin in
     * one of fifty samples, each of which counts for 10 ms.
     */
    @Test
    void aLongSamplingIntervalDoesNotLowerTheThreshold() {
        DurationEstimate rest = DurationEstimate.firstSample(100_000_000, 100_000_000, 10_000_000);
        long most = JfrStartPolicy.WORTH_NANOS / JfrStartPolicy.MAX_NEW_PIN_NANOS;
        for (int pin = 0; pin < 2 * most + 2; pin++) {
            for (int sample = 0; sample < JfrStartPolicy.FORGOTTEN_PART / 2; sample++) {
                need.onSampled(List.of(), 100_000_000);
            }
            need.ended(pin(true, BlockingState.UNKNOWN, rest));
        }
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void noMoreIsForgottenThanWasSampled() {
        sampleNothing(need, JfrStartPolicy.WORTH_NANOS);
        need.ended(pin(true, BlockingState.UNKNOWN, JfrStartPolicy.WORTH_NANOS));
        need.onSampled(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void withoutAStackAWaitForAClassMayBe() {
        long nanos = JfrStartPolicy.CLASS_PART * JfrStartPolicy.WORTH_NANOS;
        need.onSampled(List.of(withoutStack(false, nanos - JfrStartPolicy.CLASS_PART)), 0);
        assertThat(starts).isZero();
        need.onSampled(List.of(withoutStack(false, nanos)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void withoutAStackAThreadThatEntersWaitsForAMonitor() {
        need.onSampled(List.of(withoutStack(true, JfrStartPolicy.WORTH_NANOS)), 0);
        assertThat(starts).isOne();
    }

    private static SampledPin withoutStack(boolean entering, long nanos) {
        return SampledPin.firstSample(
                CARRIER, CARRIER, entering, 0, lasting(nanos), null, BlockingState.UNKNOWN);
    }

    private static void sampleNothing(JfrStartPolicy need, long forgottenNanos) {
        long each = JfrStartPolicy.MAX_NEW_PIN_NANOS / JfrStartPolicy.FORGOTTEN_PART;
        for (long nanos = 0; nanos < forgottenNanos; nanos += each) {
            need.onSampled(List.of(), JfrStartPolicy.MAX_NEW_PIN_NANOS);
        }
    }

    private static SampledPin entering(long nanos, StackTraceElement... frames) {
        return seen(true, BlockingState.UNKNOWN, lasting(nanos), List.of(frames));
    }

    private static StackTraceElement frame(String className, String method) {
        return new StackTraceElement(className, method, null, 1);
    }

    private static SampledPin pin(boolean entering, BlockingState sleep, long nanos) {
        return pin(entering, sleep, lasting(nanos));
    }

    private static SampledPin pin(boolean entering, BlockingState sleep, DurationEstimate time) {
        return seen(entering, sleep, time, List.of());
    }

    private static SampledPin seen(
            boolean entering,
            BlockingState sleep,
            DurationEstimate time,
            List<StackTraceElement> frames) {
        return SampledPin.firstSample(
                CARRIER,
                new Thread(() -> {}),
                entering,
                0,
                time,
                new Snapshot(frames, null, List.of()),
                sleep);
    }

    private static DurationEstimate lasting(long nanos) {
        return DurationEstimate.firstSample(0).sampledAgain(nanos);
    }
}
