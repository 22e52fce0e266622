package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.Snapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HoldTest {
    private static final Thread CARRIER = new Thread(() -> {});
    private static final Thread THREAD = Thread.ofVirtual().unstarted(() -> {});
    private static final StackTraceElement IN_JAVA = new StackTraceElement("shop.Cart", "total", "Cart.java", 7);
    private static final StackTraceElement IN_NATIVE = new StackTraceElement("shop.LibC", "usleep", "LibC.java", -2);
    private static final StackTraceElement LOADER =
            new StackTraceElement("shop.PluginLoader", "loadClass", "PluginLoader.java", 9);
    private static final StackTraceElement INITIALIZER = new StackTraceElement("shop.Slow", "<clinit>", "Slow.java", 3);

    @Test
    void itIsTheSameAsLongAsItIsTheSameSleepOfTheSameThread() {
        Hold hold = hold(PinKind.NATIVE, List.of(IN_JAVA));
        assertThat(hold.seenAgain(5, 1).isSame(hold)).isTrue();
        assertThat(hold.seenAgain(6, 1).isSame(hold)).isTrue();
        assertThat(hold.isSame(Hold.seen(CARRIER, CARRIER, false, 5, 9, null, Sleep.UNKNOWN)))
                .isFalse();
        assertThat(hold.isSame(hold(PinKind.ENTER, null))).isFalse();
        assertThat(hold.isSame(Hold.seen(CARRIER, THREAD, false, 6, 9, null, Sleep.UNKNOWN)))
                .isFalse();
    }

    @Test
    void seenAgainItHasLastedLonger() {
        Hold again = hold(PinKind.NATIVE, null).seenAgain(7, 4).at(stack(List.of(IN_JAVA)), Sleep.UNKNOWN);
        assertThat(again.newestNap()).isEqualTo(7);
        assertThat(again.nanos()).isEqualTo(13);
        assertThat(again.frames()).containsExactly(IN_JAVA);
    }

    @Test
    void onlyAStackTellsThatItIsInNativeCode() {
        Sleep code = new Sleep(List.of(), false, false, false, true);
        Sleep jvm = new Sleep(List.of(), false, false, false, false);
        assertThat(hold(PinKind.NATIVE, List.of(IN_NATIVE)).in(code).isInNativeCode())
                .isTrue();
        assertThat(hold(PinKind.NATIVE, List.of(IN_NATIVE)).in(jvm).isInNativeCode())
                .isFalse();
        assertThat(hold(PinKind.NATIVE, null).in(code).isInNativeCode()).isFalse();
    }

    @Test
    void whatTheStackTellsIsItsKindAndReason() {
        Hold hold = hold(PinKind.NATIVE, List.of(IN_JAVA));
        Hold awaiting = hold.in(new Sleep(List.of(String.class), true, false, false, false));
        assertThat(awaiting.kind()).isEqualTo(PinKind.CLASS_INIT);
        assertThat(awaiting.reason(false)).isEqualTo(PinReason.CLASS_INIT);
        HeldStack stack = Objects.requireNonNull(awaiting.heldStack(new FramesOfInterest(1)));
        assertThat(stack.cause()).isEqualTo(HeldStack.Cause.CLASS_INIT);
        assertThat(stack.monitorClass()).isEqualTo("java.lang.String");

        Hold inJvm = hold.in(new Sleep(List.of(), false, false, false, false));
        assertThat(inJvm.kind()).isEqualTo(PinKind.JVM);
        assertThat(inJvm.reason(true)).isEqualTo(PinReason.NONE);
        assertThat(Objects.requireNonNull(inJvm.heldStack(new FramesOfInterest(1)))
                        .operation())
                .isEqualTo("the JVM");
    }

    @Test
    void anEntryIsHeldByItsMonitorOrElseByWhatIsOnTheStack() {
        Hold entry = hold(PinKind.ENTER, List.of(IN_JAVA, IN_NATIVE));
        assertThat(entry.reason(true)).isEqualTo(PinReason.MONITOR);
        assertThat(entry.reason(false)).isEqualTo(PinReason.NATIVE);
        assertThat(hold(PinKind.ENTER, List.of(IN_JAVA, INITIALIZER)).reason(false))
                .isEqualTo(PinReason.CLASS_INIT);
        assertThat(hold(PinKind.ENTER, List.of(IN_JAVA, LOADER, INITIALIZER)).reason(false))
                .isEqualTo(PinReason.CRITICAL_SECTION);
        assertThat(hold(PinKind.ENTER, List.of(IN_JAVA)).reason(false)).isEqualTo(PinReason.NONE);
        assertThat(hold(PinKind.ENTER, null).reason(false)).isEqualTo(PinReason.NONE);
    }

    @Test
    void nativeCodeIsAReasonOfItsOwn() {
        assertThat(hold(PinKind.NATIVE, List.of(IN_NATIVE)).reason(true)).isEqualTo(PinReason.NONE);
    }

    @Test
    void itsStackSaysWhatItWaitsFor() {
        HeldStack entry = Objects.requireNonNull(
                hold(PinKind.ENTER, List.of(IN_JAVA, IN_JAVA)).heldStack(new FramesOfInterest(1)));
        assertThat(entry.cause()).isEqualTo(HeldStack.Cause.MONITOR);
        assertThat(entry.holder()).isEqualTo("shop.Cart.total:7");
        assertThat(entry.frames()).hasSize(1);
        HeldStack call =
                Objects.requireNonNull(hold(PinKind.NATIVE, List.of(IN_NATIVE)).heldStack(new FramesOfInterest(1)));
        assertThat(call.cause()).isEqualTo(HeldStack.Cause.NATIVE);
        assertThat(hold(PinKind.NATIVE, null).heldStack(new FramesOfInterest(1)))
                .isNull();
    }

    @Test
    void inProgressItIsAPinLikeOthers() {
        assertThat(hold(PinKind.ENTER, null).active(true, 2, null))
                .isEqualTo(new ActivePin(PinKind.ENTER, PinReason.MONITOR, 11, THREAD, CARRIER, false, null, null));
    }

    private static Hold hold(PinKind kind, @Nullable List<StackTraceElement> frames) {
        Snapshot stack = frames == null ? null : stack(frames);
        return Hold.seen(CARRIER, THREAD, kind == PinKind.ENTER, 5, 9, stack, Sleep.UNKNOWN);
    }

    private static Snapshot stack(List<StackTraceElement> frames) {
        return new Snapshot(frames, null, List.of());
    }
}
