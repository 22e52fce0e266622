package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoaderFramesTest {
    @ParameterizedTest
    @CsvSource({
        "java.lang.ClassLoader, loadClass, true, true",
        "jdk.internal.loader.BuiltinClassLoader, loadClassOrNull, true, true",
        "org.apache.catalina.loader.WebappClassLoaderBase, loadClass, true, true",
        "java.lang.ClassLoader, defineClass, true, false",
        "shop.Cart, loadClass, false, false"
    })
    void aLoaderIsKnownByItsNameAndTheJvmsCallByItsMethod(
            String type, String method, boolean ofLoader, boolean call) {
        StackTraceElement frame = new StackTraceElement(type, method, "Source.java", 1);

        assertThat(LoaderFrames.isOfLoader(frame)).isEqualTo(ofLoader);
        assertThat(LoaderFrames.isLoader(type)).isEqualTo(ofLoader);
        assertThat(LoaderFrames.isCall(frame)).isEqualTo(call);
    }

    @Test
    void aMethodWithoutAClassIsNotTheJvmsCall() {
        assertThat(LoaderFrames.isCall("loadClass")).isFalse();
    }
}
