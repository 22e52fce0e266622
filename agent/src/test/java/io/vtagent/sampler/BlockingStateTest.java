package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.hotspot.HotSpot.State;
import io.vtagent.pin.PinKind;
import io.vtagent.site.Snapshot;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("UnusedMethod") // it is for what they name in their constant pools
class BlockingStateTest {
    private static final String NATIVE = "native";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final class Unlinked {
        static final Object VALUE = new Object();
    }

    private static final class Linked {
        static void initialize() {}
    }

    private static final class UsesUnlinked {
        static Object use() {
            return Unlinked.VALUE;
        }
    }

    private static final class UsesLinked {
        static void use() {
            Linked.initialize();
        }
    }

    private static final class CallsHandles {
        static @Nullable Object use(MethodHandle handle) throws Throwable {
            return handle.invoke() == Unlinked.VALUE ? null : handle;
        }
    }

    static {
        // constant pools name what is loaded only; to ask for its methods links a class
        assertThat(Unlinked.class).isNotNull();
        for (Class<?> linked : List.of(Linked.class, UsesLinked.class, UsesUnlinked.class)) {
            assertThat(linked.getDeclaredMethods()).hasSize(1);
        }
    }

    @BeforeAll
    static void proveHotSpot() { // before that, no class is known to be linked
        await().atMost(LIMIT).until(() -> HotSpot.ofThisJvm().isProved());
    }

    private static final HotSpot.Moment IN_NATIVE_CODE = new HotSpot.Moment(State.NATIVE, null);
    private static final HotSpot.Moment BLOCKED = new HotSpot.Moment(State.BLOCKED, null);

    @Test
    void theStateOfAThreadIsTheOneThatHotSpotReports() throws ClassNotFoundException {
        for (BlockingState sleep :
                List.of(
                        BlockingState.UNKNOWN,
                        BlockingState.in(at(UsesUnlinked.class, "use"), false),
                        BlockingState.in(at(CallsHandles.class, "use"), false),
                        BlockingState.in(
                                at(Class.forName("java.lang.Class"), "forName0" + NATIVE), false),
                        BlockingState.in(at(BlockingStateTest.class, "usleep" + NATIVE), false))) {
            assertThat(sleep.refinedBy(IN_NATIVE_CODE).kind(false)).isEqualTo(PinKind.NATIVE);
            assertThat(sleep.refinedBy(IN_NATIVE_CODE).inNativeMethod()).isTrue();
            assertThat(sleep.refinedBy(BLOCKED).kind(false)).isEqualTo(PinKind.JVM);
            assertThat(sleep.refinedBy(HotSpot.Moment.UNKNOWN)).isEqualTo(sleep);
            BlockingState forClass =
                    sleep.refinedBy(
                            new HotSpot.Moment(
                                    State.BLOCKED, new HotSpot.AwaitedClass("shop.Cart", 7)));
            assertThat(forClass.kind(false)).isEqualTo(PinKind.CLASS_INIT);
            assertThat(forClass.awaited()).isEqualTo("shop.Cart");
        }
    }

    /**
     * That another thread initializes a class, which the method names, is no reason to wait for
     * that.
     */
    @Test
    void aThreadThatEntersAMonitorWaitsForNoClassThatIsLinked() {
        BlockingState sleep = BlockingState.in(at(UsesLinked.class, "use"), true);
        assertThat(sleep.mayBeForClass()).isFalse();

        Linked.initialize();

        assertThat(sleep.afterEnd().kind(true)).isEqualTo(PinKind.ENTER);
    }

    @Test
    void aThreadThatEntersAMonitorWhereAClassIsNotLinkedWaitedForItIfItIsInitializedThen() {
        BlockingState sleep = BlockingState.in(at(UsesUnlinked.class, "use"), true);
        assertThat(sleep.unlinked()).containsExactly(Unlinked.class);
        assertThat(sleep.mayBeForClass()).isTrue();
        assertThat(sleep.afterEnd()).isEqualTo(sleep);
        assertThat(sleep.kind(true)).isEqualTo(PinKind.ENTER);

        assertThat(Unlinked.VALUE).isNotNull();

        assertThat(sleep.afterEnd().kind(true)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(sleep.afterEnd().awaited()).isEqualTo(Unlinked.class.getName());
    }

    @Test
    void aThreadThatCallsMethodHandlesMayBeInAForeignFunction() {
        BlockingState sleep = BlockingState.in(at(CallsHandles.class, "use"), false);
        assertThat(sleep.kind(false)).isEqualTo(PinKind.NATIVE);
        assertThat(sleep.inNativeMethod()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.VirtualThread, notifyJvmtiUnmount, JVM, false",
        "java.lang.Runtime, gc, JVM, false",
        "java.lang.Class, forName0, JVM, false",
        "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor, invoke0, JVM, false",
        "io.vtagent.sampler.BlockingStateTest, usleep, NATIVE, true"
    })
    void aNativeMethodOfTheJvmsIsTheJvm(
            String type, String method, PinKind kind, boolean nativeCode)
            throws ClassNotFoundException {
        BlockingState sleep = BlockingState.in(at(Class.forName(type), method + NATIVE), false);
        assertThat(sleep.kind(false)).isEqualTo(kind);
        assertThat(sleep.inNativeMethod()).isEqualTo(nativeCode);
        assertThat(sleep.mayBeForClass()).isFalse();
    }

    @Test
    void oneOfTheJdksOwnMonitorsIsNoClass() {
        BlockingState sleep = BlockingState.in(at(java.util.Hashtable.class, "get"), true);
        assertThat(sleep.kind(true)).isEqualTo(PinKind.ENTER);
        assertThat(sleep.mayBeForClass()).isFalse();
    }

    @Test
    void withoutAStackNothingIsKnown() {
        assertThat(BlockingState.in(new Snapshot(List.of(), null, List.of()), false))
                .isEqualTo(BlockingState.UNKNOWN);
        assertThat(BlockingState.UNKNOWN.kind(false)).isEqualTo(PinKind.NATIVE);
        assertThat(BlockingState.UNKNOWN.kind(true)).isEqualTo(PinKind.ENTER);
    }

    private static Snapshot at(Class<?> type, String method) {
        boolean isNative = method.endsWith(NATIVE);
        String name = isNative ? method.substring(0, method.length() - NATIVE.length()) : method;
        StackTraceElement frame =
                new StackTraceElement(type.getName(), name, "A.java", isNative ? -2 : 7);
        return new Snapshot(List.of(frame), type, List.of());
    }
}
