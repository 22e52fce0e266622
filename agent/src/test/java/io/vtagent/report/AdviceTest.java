package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.vm.HeldStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdviceTest {

    @Test
    void nativeCodeOfTheApplicationBelongsOnAPool() {
        assertThat(adviceOnNative("shop.LibC.usleep:?", "shop.LibC.usleep(Native Method)"))
                .startsWith("shop.LibC.usleep blocks in native code ");
    }

    @Test
    void codeThatIsNotNativeMayHaveBeenStoppedByTheJvm() {
        assertThat(adviceOnNative("shop.Cart.total:12", "shop.Cart.total(Cart.java:12)"))
                .startsWith("shop.Cart.total was not in a native method: either the JVM made it wait,");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.VirtualThread.notifyJvmtiUnmount:?",
                "java.lang.VirtualThread.notifyJvmtiMount:?",
                "jdk.internal.vm.Continuation.doYield:?"
            })
    void whatTheJvmItselfWaitsForIsNotBlamedOnTheApplication(String holder) {
        assertThat(adviceOnNative(holder, holder.replace(":?", "(Native Method)")))
                .contains("No code of the application blocks here.");
    }

    private static String adviceOnNative(String holder, String frame) {
        Ledger ledger = new Ledger(true, 0, 64, 10, Buckets.SINGLE);
        HeldStack stack = new HeldStack(
                List.of(frame),
                -1,
                holder,
                HeldStack.Cause.NATIVE,
                null,
                "java.lang.Thread.yield",
                null,
                null,
                Map.of());
        ledger.add(PinKind.NATIVE, PinReason.NONE, 1, () -> stack);
        return Advice.on(ledger.sites().get(0));
    }
}
