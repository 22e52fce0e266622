package io.vtagent.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The class that OpenTelemetry's SDK loads, in class loaders of their own. */
class SdkCustomizerTest {
    private static final String VERSION = "java.specification.version";

    private final String version = System.getProperty(VERSION, "");
    private final List<
                    BiFunction<
                            SdkTracerProviderBuilder, ConfigProperties, SdkTracerProviderBuilder>>
            added = new ArrayList<>();

    @AfterEach
    void restore() {
        System.setProperty(VERSION, version);
    }

    /** Loads this extension's classes anew, beside an OpenTelemetry that may lack a class. */
    private static final class Extension extends ClassLoader {
        private final String missing;

        Extension(String missing) {
            super(SdkCustomizerTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(missing)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.vtagent.otel.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = getParent().getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    @Test
    void aProcessorIsAdded() throws Exception {
        Class<?> customizer = customized(new Extension(""));
        SdkTracerProviderBuilder builder = SdkTracerProvider.builder();

        assertThat(added).hasSize(1);
        assertThat(added.getFirst().apply(builder, noProperties())).isSameAs(builder);
        assertThat(result(customizer, "spanEnds")).isNotNull();
        assertThat(builder.build().toString()).contains(SpanEnds.class.getName());
    }

    @Test
    void beforeTheSdkAsksTheReasonIsThatItDoesNot() throws Exception {
        Class<?> customizer = customized(new Extension(""));

        assertThat(result(customizer, "spanEnds")).isNull();
        assertThat(result(customizer, "noSpanEnds"))
                .isEqualTo(
                        "OpenTelemetry's SDK is disabled or configured by a file"
                                + " (otel.config.file), and does not report when spans end");
    }

    @Test
    void withoutTheInternalInterfaceTheSdkIsBuiltWithoutTheProcessor() throws Exception {
        String missing = "io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor";
        Class<?> customizer = customized(new Extension(missing));
        SdkTracerProviderBuilder builder = SdkTracerProvider.builder();

        assertThat(added).hasSize(1);
        assertThat(added.getFirst().apply(builder, noProperties())).isSameAs(builder);
        assertThat(builder.build().toString()).doesNotContain(SpanEnds.class.getName());
        assertThat(result(customizer, "spanEnds")).isNull();
        assertThat(result(customizer, "noSpanEnds"))
                .asString()
                .startsWith("this version of OpenTelemetry does not report when spans end: ")
                .contains("ExtendedSpanProcessor");
    }

    @Test
    void belowJava21NothingIsAdded() throws Exception {
        for (String old : new String[] {"1.8", "11", "17", "20"}) {
            System.setProperty(VERSION, old);
            Class<?> unused = customized(new Extension(SpanEnds.class.getName()));

            assertThat(added).isEmpty();
        }
    }

    /** Returns the class after the SDK has called it. */
    private Class<?> customized(Extension extension) throws ReflectiveOperationException {
        Class<?> type = extension.loadClass(SdkCustomizer.class.getName());
        ((AutoConfigurationCustomizerProvider) type.getConstructor().newInstance())
                .customize(stub(AutoConfigurationCustomizer.class, this::add));
        return type;
    }

    @SuppressWarnings("unchecked")
    private void add(Object argument) {
        added.add(
                (BiFunction<SdkTracerProviderBuilder, ConfigProperties, SdkTracerProviderBuilder>)
                        argument);
    }

    private static ConfigProperties noProperties() {
        return stub(ConfigProperties.class, name -> {});
    }

    /** Returns what passes on the argument of each call, and returns null. */
    private static <T> T stub(Class<T> type, Consumer<Object> onCall) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> {
                            onCall.accept(arguments[0]);
                            return null;
                        }));
    }

    private static @Nullable Object result(Class<?> customizer, String method)
            throws ReflectiveOperationException {
        Method called = customizer.getDeclaredMethod(method);
        called.setAccessible(true);
        return called.invoke(null);
    }
}
