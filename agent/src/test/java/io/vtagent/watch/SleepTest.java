package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.PinKind;
import io.vtagent.vm.Snapshot;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("UnusedMethod") // it is for what they name in their constant pools
class SleepTest {
    private static final String NATIVE = "native";

    /** A class whose initializer nobody runs. */
    private static class Base {
        static final Object VALUE = new Object();
    }

    private static final class Derived extends Base {
        static final Object OWN = new Object();
    }

    private static final class Soon {
        static final Object VALUE = new Object();
    }

    private static final class UsesBase {
        static Object use() {
            return Base.VALUE;
        }
    }

    private static final class UsesDerived {
        static Object use() {
            return Derived.OWN;
        }
    }

    private static final class UsesSoon {
        static Object use() {
            return Soon.VALUE;
        }
    }

    private static final class CallsHandles {
        static @Nullable Object use(MethodHandle handle) throws Throwable {
            return handle.invoke() == Base.VALUE ? null : handle;
        }
    }

    static {
        // constant pools name what is loaded only
        for (Class<?> type : List.of(Base.class, Derived.class, Soon.class)) {
            assertThat(type).isNotNull();
        }
    }

    @Test
    void aClassThatTheInnermostMethodNamesIsAwaitedWhileAnotherThreadInitializesIt() {
        Sleep sleep = Sleep.in(at(UsesBase.class, "use"), false);
        assertThat(sleep.isOpen()).isTrue();
        assertThat(sleep.kind(false)).isEqualTo(PinKind.JVM);

        Sleep found = sleep.whileOthersInitialize(List.of(String.class, Base.class));
        assertThat(found.kind(false)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(found.awaited()).isEqualTo(Base.class);
        assertThat(found.isOpen()).isFalse();

        assertThat(sleep.whileOthersInitialize(List.of(String.class, Soon.class)))
                .isEqualTo(sleep);
    }

    @Test
    void theInitializerOfASuperclassIsPartOfThatOfAClass() {
        Sleep found = Sleep.in(at(UsesDerived.class, "use"), false).whileOthersInitialize(List.of(Base.class));
        assertThat(found.awaited()).isEqualTo(Derived.class);
    }

    @Test
    void aClassThatTheThreadInitializesItselfIsNotAwaited() {
        Snapshot own = new Snapshot(at(UsesBase.class, "use").frames(), UsesBase.class, List.of(Base.class));
        assertThat(Sleep.in(own, false).suspects()).doesNotContain(Base.class);
    }

    @Test
    void whatHasBeenInitializedByTheEndWasAwaited() {
        Sleep sleep = Sleep.in(at(UsesSoon.class, "use"), false);
        assertThat(sleep.over()).isEqualTo(sleep);
        assertThat(sleep.awaitedUntilOver()).isNull();

        assertThat(Soon.VALUE).isNotNull();

        assertThat(sleep.over().kind(false)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(sleep.over().kind(true)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(sleep.over().awaited()).isEqualTo(Soon.class);
        assertThat(sleep.awaitedUntilOver()).isEqualTo(Soon.class.getName());
    }

    @Test
    void whoeverCallsMethodHandlesMayBeInAForeignFunction() {
        Sleep sleep = Sleep.in(at(CallsHandles.class, "use"), false);
        assertThat(sleep.kind(false)).isEqualTo(PinKind.NATIVE);
        assertThat(sleep.over()).isEqualTo(sleep);
        assertThat(sleep.whileOthersInitialize(List.of(Base.class)).kind(false)).isEqualTo(PinKind.CLASS_INIT);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.Class, forName0",
        "jdk.internal.misc.Unsafe, ensureClassInitialized0",
        "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor, invoke0"
    })
    void whoeverAskedForAClassByANativeMethodMayWaitForAny(String type, String method) throws ClassNotFoundException {
        Sleep sleep = Sleep.in(at(Class.forName(type), method + NATIVE), false);
        assertThat(sleep.isOpen()).isTrue();
        assertThat(sleep.kind(false)).isEqualTo(PinKind.JVM);
        assertThat(sleep.whileOthersInitialize(List.of())).isEqualTo(sleep);

        Sleep found = sleep.whileOthersInitialize(List.of(Base.class, Soon.class));
        assertThat(found.kind(false)).isEqualTo(PinKind.CLASS_INIT);
        assertThat(found.awaited()).as("one of two").isNull();
        assertThat(sleep.whileOthersInitialize(List.of(Base.class)).awaited()).isEqualTo(Base.class);
    }

    /** From JNI, say. */
    @Test
    void aNativeMethodThatTheJvmLetsWaitMayWaitForAnyClass() throws ClassNotFoundException {
        Sleep sleep = Sleep.in(at(SleepTest.class, "usleep" + NATIVE), false);
        assertThat(sleep.isOpen()).isFalse();
        assertThat(sleep.told(true)).isEqualTo(sleep);

        assertThat(sleep.told(false).isOpen()).isTrue();
        assertThat(sleep.told(false).kind(false)).isEqualTo(PinKind.JVM);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.VirtualThread, notifyJvmtiUnmount, JVM, false",
        "java.lang.Runtime, gc, JVM, false",
        "io.vtagent.watch.SleepTest, usleep, NATIVE, true"
    })
    void aNativeMethodOfTheJvmsIsTheJvm(String type, String method, PinKind kind, boolean nativeCode)
            throws ClassNotFoundException {
        Sleep sleep = Sleep.in(at(Class.forName(type), method + NATIVE), false);
        assertThat(sleep.kind(false)).isEqualTo(kind);
        assertThat(sleep.inNativeMethod()).isEqualTo(nativeCode);
        assertThat(sleep.isOpen()).isFalse();
    }

    @Test
    void oneOfTheJdksOwnMonitorsIsNoClass() {
        Sleep sleep = Sleep.in(at(java.util.Hashtable.class, "get"), true);
        assertThat(sleep.kind(true)).isEqualTo(PinKind.ENTER);
        assertThat(sleep.isOpen()).isFalse();
    }

    @Test
    void withoutAStackNothingIsKnown() {
        assertThat(Sleep.in(new Snapshot(List.of(), null, List.of()), false)).isEqualTo(Sleep.UNKNOWN);
        assertThat(Sleep.UNKNOWN.kind(false)).isEqualTo(PinKind.NATIVE);
        assertThat(Sleep.UNKNOWN.kind(true)).isEqualTo(PinKind.ENTER);
    }

    private static Snapshot at(Class<?> type, String method) {
        boolean isNative = method.endsWith(NATIVE);
        String name = isNative ? method.substring(0, method.length() - NATIVE.length()) : method;
        StackTraceElement frame = new StackTraceElement(type.getName(), name, "A.java", isNative ? -2 : 7);
        return new Snapshot(List.of(frame), type, List.of());
    }
}
