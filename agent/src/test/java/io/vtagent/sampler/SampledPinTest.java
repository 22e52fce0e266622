package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Samples;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SampledPinTest {
    private static final Thread CARRIER = new Thread(() -> {});
    private static final Thread THREAD = Thread.ofVirtual().unstarted(() -> {});
    private static final StackTraceElement IN_JAVA =
            new StackTraceElement("shop.Cart", "total", "Cart.java", 7);
    private static final StackTraceElement IN_NATIVE =
            new StackTraceElement("shop.LibC", "usleep", "LibC.java", -2);
    private static final StackTraceElement LOADER =
            new StackTraceElement("shop.PluginLoader", "loadClass", "PluginLoader.java", 9);
    private static final StackTraceElement INITIALIZER =
            new StackTraceElement("shop.Slow", "<clinit>", "Slow.java", 3);

    @Test
    void itIsTheSameAsLongAsItIsTheSameSleepOfTheSameThread() {
        SampledPin pin = pin(PinKind.NATIVE, List.of(IN_JAVA));
        assertThat(pin.sampledAgain(5, 1, 0).isSame(pin)).isTrue();
        assertThat(pin.sampledAgain(6, 1, 0).isSame(pin)).isTrue();
        assertThat(
                        pin.isSame(
                                SampledPin.firstSample(
                                        CARRIER,
                                        CARRIER,
                                        false,
                                        5,
                                        DurationEstimate.firstSample(9),
                                        null,
                                        BlockingState.UNKNOWN)))
                .isFalse();
        assertThat(pin.isSame(pin(PinKind.ENTER, null))).isFalse();
        assertThat(
                        pin.isSame(
                                SampledPin.firstSample(
                                        CARRIER,
                                        THREAD,
                                        false,
                                        6,
                                        DurationEstimate.firstSample(9),
                                        null,
                                        BlockingState.UNKNOWN)))
                .isFalse();
    }

    @Test
    void sampledAgainItHasLastedLonger() {
        SampledPin again =
                pin(PinKind.NATIVE, null)
                        .sampledAgain(7, 4, 0)
                        .withStack(stack(List.of(IN_JAVA)), BlockingState.UNKNOWN);
        assertThat(again.newestSleepId()).isEqualTo(7);
        assertThat(again.nanos()).isEqualTo(13);
        assertThat(again.frames()).containsExactly(IN_JAVA);
    }

    /**
     * Time in which all threads are paused does not count for a wait in the JVM, but does for
     * native code, which continues.
     */
    @Test
    void safepointPausesCountOnlyForNativeCode() {
        SampledPin inNative = pin(PinKind.NATIVE, List.of(IN_NATIVE)).sampledAgain(5, 4, 3);
        SampledPin inJvm = inNative.withState(BlockingState.IN_JVM);
        assertThat(inNative.nanos()).isEqualTo(13);
        assertThat(inJvm.nanos()).isEqualTo(10);
        assertThat(inNative.ownNanos()).isEqualTo(13);
        assertThat(inJvm.ownNanos()).isEqualTo(10);
        assertThat(inJvm.active(true, 2, null).ageNanos()).isEqualTo(12);
    }

    @Test
    void thatItIsInNativeCodeIsKnownWithOrWithoutAStack() {
        BlockingState code = BlockingState.IN_NATIVE_CODE;
        BlockingState jvm = BlockingState.IN_JVM;
        assertThat(pin(PinKind.NATIVE, List.of(IN_NATIVE)).withState(code).isInNativeCode())
                .isTrue();
        assertThat(pin(PinKind.NATIVE, List.of(IN_NATIVE)).withState(jvm).isInNativeCode())
                .isFalse();
        assertThat(pin(PinKind.NATIVE, null).withState(code).isInNativeCode()).isTrue();
        assertThat(pin(PinKind.NATIVE, null).withState(BlockingState.UNKNOWN).isInNativeCode())
                .isFalse();
    }

    @Test
    void theStackDeterminesKindAndReason() {
        SampledPin pin = pin(PinKind.NATIVE, List.of(IN_JAVA));
        SampledPin awaiting = pin.withState(BlockingState.waitingFor("java.lang.String"));
        assertThat(awaiting.kind()).isEqualTo(PinKind.CLASS_INIT);
        assertThat(awaiting.reason(false)).isEqualTo(PinReason.CLASS_INIT);
        PinnedStack stack = Objects.requireNonNull(awaiting.pinnedStack(new FramesOfInterest(1)));
        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.CLASS_INIT);
        assertThat(stack.monitorClass()).isEqualTo("java.lang.String");

        SampledPin inJvm = pin.withState(BlockingState.IN_JVM);
        assertThat(inJvm.kind()).isEqualTo(PinKind.JVM);
        assertThat(inJvm.reason(true)).isEqualTo(PinReason.NONE);
        assertThat(Objects.requireNonNull(inJvm.pinnedStack(new FramesOfInterest(1))).operation())
                .isEqualTo("the JVM");
    }

    @Test
    void anEntryIsHeldByItsMonitorOrElseByWhatIsOnTheStack() {
        SampledPin entry = pin(PinKind.ENTER, List.of(IN_JAVA, IN_NATIVE));
        assertThat(entry.reason(true)).isEqualTo(PinReason.MONITOR);
        assertThat(entry.reason(false)).isEqualTo(PinReason.NATIVE);
        assertThat(pin(PinKind.ENTER, List.of(IN_JAVA, INITIALIZER)).reason(false))
                .isEqualTo(PinReason.CLASS_INIT);
        assertThat(pin(PinKind.ENTER, List.of(IN_JAVA, LOADER, INITIALIZER)).reason(false))
                .isEqualTo(PinReason.CRITICAL_SECTION);
        assertThat(pin(PinKind.ENTER, List.of(IN_JAVA)).reason(false))
                .isEqualTo(PinReason.CRITICAL_SECTION);
        assertThat(pin(PinKind.ENTER, null).reason(false)).isEqualTo(PinReason.NONE);
    }

    @Test
    void nativeCodeIsAReasonOfItsOwn() {
        assertThat(pin(PinKind.NATIVE, List.of(IN_NATIVE)).reason(true)).isEqualTo(PinReason.NONE);
    }

    @Test
    void itsStackShowsWhatItWaitsFor() {
        PinnedStack entry =
                Objects.requireNonNull(
                        pin(PinKind.ENTER, List.of(IN_JAVA, IN_JAVA))
                                .pinnedStack(new FramesOfInterest(1)));
        assertThat(entry.cause()).isEqualTo(PinnedStack.Cause.MONITOR);
        assertThat(entry.holder()).isEqualTo("shop.Cart.total:7");
        assertThat(entry.frames()).hasSize(1);
        PinnedStack call =
                Objects.requireNonNull(
                        pin(PinKind.NATIVE, List.of(IN_NATIVE))
                                .pinnedStack(new FramesOfInterest(1)));
        assertThat(call.cause()).isEqualTo(PinnedStack.Cause.NATIVE);
        assertThat(pin(PinKind.NATIVE, null).pinnedStack(new FramesOfInterest(1))).isNull();
    }

    @Test
    void inProgressItIsAPinLikeOthers() {
        assertThat(pin(PinKind.ENTER, null).active(true, 2, null))
                .isEqualTo(
                        new ActivePin(
                                PinKind.ENTER,
                                PinReason.MONITOR,
                                11,
                                THREAD,
                                CARRIER,
                                false,
                                null,
                                null,
                                null,
                                new Samples(1, 1, 2),
                                false));
    }

    private static SampledPin pin(PinKind kind, @Nullable List<StackTraceElement> frames) {
        Snapshot stack = frames == null ? null : stack(frames);
        return SampledPin.firstSample(
                CARRIER,
                THREAD,
                kind == PinKind.ENTER,
                5,
                DurationEstimate.firstSample(9),
                stack,
                BlockingState.UNKNOWN);
    }

    private static Snapshot stack(List<StackTraceElement> frames) {
        return new Snapshot(frames, null, List.of());
    }
}
