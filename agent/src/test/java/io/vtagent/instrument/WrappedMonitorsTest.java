package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import io.vtagent.probe.VtAgentProbe;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A class that enters monitors in every way is transformed, verified, and run as a virtual thread
 * while they are contended.
 */
class WrappedMonitorsTest {
    private static final String NAME = "io.vtagent.instrument.WrappedMonitorsTest$Wrapped";
    private static final String OWNER = NAME.replace('.', '/');

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final ClassTally tally = new ClassTally();

    /** A class to wrap, loaded by a loader of its own. */
    @SuppressWarnings("unused")
    public static class Wrapped {
        private final int field = 3;

        public String block(Object monitor, int value) {
            long wide = value + 1L;
            synchronized (monitor) {
                return "block " + (wide + field) + Thread.holdsLock(monitor);
            }
        }

        public synchronized String method(Object monitor, int value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            return "method " + (value > 5 ? value + field : value) + Thread.holdsLock(this);
        }

        public static synchronized String staticMethod(Object monitor, int value) {
            return "static " + value + Thread.holdsLock(Wrapped.class);
        }

        public synchronized String handling(Object monitor, int value) {
            try {
                return "handling " + 10 / value;
            } catch (ArithmeticException divided) {
                return "handling none";
            }
        }

        public String nested(Object monitor, int value) {
            synchronized (monitor) {
                synchronized (this) {
                    return "nested " + value + Thread.holdsLock(monitor) + Thread.holdsLock(this);
                }
            }
        }

        public String throwing(Object monitor, int value) {
            synchronized (monitor) {
                throw new IllegalStateException("inside");
            }
        }

        public int plain(int value) {
            return value;
        }
    }

    /** Enters no monitor. */
    static class Plain {}

    private final class Counting extends VtAgentProbe {
        @Override
        public Object onEnterBegan(Object monitor) {
            begun.incrementAndGet();
            return monitor;
        }

        @Override
        public void onEnterEnded(Object entry) {
            ended.incrementAndGet();
        }
    }

    @BeforeEach
    void listen() {
        VtAgentProbe.report(new Counting());
    }

    @AfterEach
    void listenNoMore() {
        VtAgentProbe.report(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "method", "staticMethod", "handling", "nested"})
    void aContendedEntryIsReportedAndTheResultIsTheSame(String method) throws Exception {
        Loader loader = new Loader();
        Object monitor = new Object();
        Object wrapped = loader.wrapped.getConstructor().newInstance();
        for (int value : new int[] {0, 4, 9}) {
            begun.set(0);
            ended.set(0);
            Supplier<@Nullable Object> plain =
                    () -> invoke(Wrapped.class, new Wrapped(), method, monitor, value);
            Object contended =
                    method.equals("block") || method.equals("nested")
                            ? monitor
                            : method.equals("staticMethod") ? loader.wrapped : wrapped;

            assertThat(
                            whileContended(
                                    contended,
                                    () -> invoke(loader.wrapped, wrapped, method, monitor, value)))
                    .isEqualTo(plain.get());
            assertThat(begun).as("entries of %s", method).hasValue(1);
            assertThat(ended).hasValue(1);
        }
    }

    @Test
    void aFreeMonitorIsNotReported() throws Exception {
        Loader loader = new Loader();
        Object wrapped = loader.wrapped.getConstructor().newInstance();
        assertThat(invoke(loader.wrapped, wrapped, "block", new Object(), 1))
                .isEqualTo("block 5true");
        assertThat(invoke(loader.wrapped, wrapped, "method", new Object(), 1))
                .isEqualTo("method 1true");
        assertThat(begun).hasValue(0);
        assertThat(ended).hasValue(0);
    }

    @Test
    void whateverIsThrownTheMonitorIsFreeAfterwards() throws Exception {
        Loader loader = new Loader();
        Object monitor = new Object();
        Object wrapped = loader.wrapped.getConstructor().newInstance();
        assertThatThrownBy(() -> invoke(loader.wrapped, wrapped, "throwing", monitor, 1))
                .hasMessage("inside");
        assertThatThrownBy(() -> invoke(loader.wrapped, wrapped, "method", monitor, -1))
                .hasMessage("negative");
        assertThat(Thread.holdsLock(monitor)).isFalse();
        assertThat(Thread.holdsLock(wrapped)).isFalse();
        Thread other =
                new Thread(
                        () -> {
                            synchronized (monitor) {
                                synchronized (wrapped) {
                                    begun.set(42);
                                }
                            }
                        });
        other.start();
        other.join();
        assertThat(begun).hasValue(42);
    }

    @Test
    void methodsAreSynchronizedNoMoreAndTheClassIsCounted() throws Exception {
        Loader loader = new Loader();
        for (Method method : loader.wrapped.getDeclaredMethods()) {
            assertThat(Modifier.isSynchronized(method.getModifiers()))
                    .as(method.getName())
                    .isFalse();
        }
        assertThat(tally.transformed).hasValue(1);
        assertThat(tally.failed).hasValue(0);
        assertThat(tally.wrapped.contains(NAME)).isTrue();
    }

    @Test
    void aClassWithoutMonitorsIsLeftAsItIs() throws IOException {
        String plain = "io/vtagent/instrument/WrappedMonitorsTest$Plain";
        assertThat(
                        transformer(List.of(), List.of())
                                .transform(new Loader(), plain, null, null, classFile(plain)))
                .isNull();
        assertThat(tally.failed).hasValue(0);
    }

    @Test
    void whatIsNotAClassFileIsLeftAsItIsAndCounted() throws IOException {
        assertThat(
                        transformer(List.of(), List.of())
                                .transform(new Loader(), OWNER, null, null, new byte[12]))
                .isNull();
        assertThat(tally.failed).hasValue(1);
    }

    @Test
    void onlyWhatIsIncludedAndNotExcludedIsWrapped() throws IOException {
        Loader loader = new Loader();
        assertThat(transformer(List.of(), List.of()).isWanted(loader, OWNER)).isTrue();
        assertThat(transformer(List.of("shop/", "io/vt"), List.of()).isWanted(loader, OWNER))
                .isTrue();
        assertThat(transformer(List.of("shop/"), List.of()).isWanted(loader, OWNER)).isFalse();
        assertThat(transformer(List.of(), List.of("shop/", "io/vt")).isWanted(loader, OWNER))
                .isFalse();
        assertThat(transformer(List.of("io/vt"), List.of("io/")).isWanted(loader, OWNER)).isFalse();
    }

    @Test
    void neitherTheJdksClassesNorTheAgentsOwnAreWrapped() throws IOException {
        MonitorTransformer transformer = transformer(List.of(), List.of());
        ClassLoader own = WrappedMonitorsTest.class.getClassLoader();
        assertThat(transformer.isWanted(ClassLoader.getPlatformClassLoader(), "java/sql/Any"))
                .isFalse();
        assertThat(transformer.isWanted(own, OWNER)).isFalse();
        assertThat(transformer.isWanted(own, "io/vtagent/instrument/ContendedMonitorProbe"))
                .as("by which the sensor is proved")
                .isTrue();
        assertThat(transformer.transform(null, OWNER, null, null, classFile(OWNER))).isNull();
        assertThat(transformer.transform(new Loader(), null, null, null, classFile(OWNER)))
                .isNull();
    }

    private MonitorTransformer transformer(List<String> include, List<String> exclude) {
        return new MonitorTransformer(include, exclude, tally, false);
    }

    /**
     * Returns the result of {@code call} on a virtual thread that has to wait for {@code monitor}.
     */
    private static @Nullable Object whileContended(Object monitor, Supplier<@Nullable Object> call)
            throws InterruptedException {
        @Nullable Object[] result = new @Nullable Object[1];
        Thread thread = Thread.ofVirtual().unstarted(() -> result[0] = call.get());
        synchronized (monitor) {
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED) {
                assertThat(thread.isAlive()).isTrue();
                Thread.onSpinWait();
            }
        }
        thread.join();
        return result[0];
    }

    private static @Nullable Object invoke(
            Class<?> type, Object on, String name, Object monitor, int value) {
        try {
            return type.getMethod(name, Object.class, int.class).invoke(on, monitor, value);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(thrown.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("cannot call " + name, impossible);
        }
    }

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in =
                WrappedMonitorsTest.class.getResourceAsStream("/" + name + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    /** Defines {@link Wrapped} as it is transformed. */
    private final class Loader extends ClassLoader {
        private final Class<?> wrapped;

        Loader() throws IOException {
            super(WrappedMonitorsTest.class.getClassLoader());
            byte[] file =
                    Objects.requireNonNull(
                            transformer(List.of(), List.of())
                                    .transform(this, OWNER, null, null, classFile(OWNER)));
            wrapped = defineClass(NAME, file, 0, file.length);
        }
    }
}
