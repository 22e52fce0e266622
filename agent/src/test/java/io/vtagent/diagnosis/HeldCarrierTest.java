package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeldCarrierTest {
    private static final StackTraceElement PARK =
            jdk("java.util.concurrent.CountDownLatch", "await");
    private static final StackTraceElement LOAD = jdk("java.lang.ClassLoader", "loadClass");
    private static final StackTraceElement PLUGINS =
            new StackTraceElement("shop.PluginLoader", "findClass", "PluginLoader.java", 3);
    private static final StackTraceElement CART =
            new StackTraceElement("shop.Cart", "total", "Cart.java", 42);

    @ParameterizedTest
    @EnumSource
    void onlyAWaitWithoutATimeLimitWaitsForASignal(Thread.State state) {
        HeldCarrier held = held(state, null);

        assertThat(held.waitsForSignal()).isEqualTo(state == Thread.State.WAITING);
        assertThat(held.isEntering()).isEqualTo(state == Thread.State.BLOCKED);
    }

    @Test
    void theInnermostClassLoaderOfACallAndTheLineThatNeedsTheClassAreNamed() {
        assertThat(keeper(PARK, PLUGINS, LOAD, CART))
                .isEqualTo(
                        "in the class loader `shop.PluginLoader`, which loads a class for"
                                + " `shop.Cart.total:42`");
        assertThat(keeper(PLUGINS, LOAD, CART))
                .startsWith("in the class loader `shop.PluginLoader`");
        assertThat(keeper(PARK, LOAD)).isEqualTo("in the class loader `java.lang.ClassLoader`");
    }

    private static @Nullable String keeper(StackTraceElement... frames) {
        return held(Thread.State.WAITING, null, frames).keeper();
    }

    @Test
    void thePlaceIsThatOfThePinOrTheLineThatCalledTheJdk() {
        String line = "`shop.Cart.total:42` in java.util.concurrent.CountDownLatch.await";
        HeldCarrier pinned = held(Thread.State.WAITING, pin(), PARK, CART);

        assertThat(pinned.place()).isEqualTo("`shop.Db.query:7` in java.net.Socket.read");
        assertThat(held(Thread.State.WAITING, null, PARK, CART).place()).isEqualTo(line);
        assertThat(
                        new HeldCarrier(
                                        pinned.carrier(),
                                        null,
                                        Thread.State.WAITING,
                                        pinned.pin(),
                                        pinned.frames())
                                .place())
                .as("of a task that is no virtual thread")
                .isEqualTo(line);
    }

    @Test
    void withoutACallOfTheJdkTheLineIsTheInnermostOne() {
        assertThat(HeldCarrier.lineOf(List.of(CART, PARK)))
                .isEqualTo("`shop.Cart.total(Cart.java:42)`");
        assertThat(HeldCarrier.lineOf(List.of(PARK, LOAD))).isEqualTo("`" + PARK + "`");
        assertThat(HeldCarrier.lineOf(List.of())).isNull();
    }

    private static HeldCarrier held(
            Thread.State state, @Nullable ActivePin pin, StackTraceElement... frames) {
        Thread any = Thread.currentThread();
        return new HeldCarrier(any, any, state, pin, List.of(frames));
    }

    private static ActivePin pin() {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        PinnedStack stack =
                new PinnedStack(
                        List.of(),
                        0,
                        "shop.Db.query:7",
                        PinnedStack.Cause.NONE,
                        null,
                        "java.net.Socket.read",
                        null,
                        null,
                        Map.of());
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1, () -> stack);
        Thread any = Thread.currentThread();
        return ActivePins.of(
                PinKind.PARK,
                PinReason.MONITOR,
                1,
                any,
                any,
                false,
                ledger.sites().getFirst(),
                null);
    }

    private static StackTraceElement jdk(String type, String method) {
        return new StackTraceElement(null, "java.base", null, type, method, "Source.java", 1);
    }
}
