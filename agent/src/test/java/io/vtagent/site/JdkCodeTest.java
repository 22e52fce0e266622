package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdkCodeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.String",
                "jdk.internal.misc.Unsafe",
                "java.sql.Driver",
                "jdk.jfr.Recording"
            })
    void whatIsInAModuleOfTheJdkIsTheJdks(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name);
        assertThat(JdkCode.owns(type)).isTrue();
        assertThat(JdkCode.owns(frameOf(type))).isTrue();
        assertThat(JdkCode.find(name)).isSameAs(type);
    }

    @Test
    void allElseIsNot() {
        for (Class<?> type : new Class<?>[] {JdkCodeTest.class, Test.class}) {
            assertThat(JdkCode.owns(type)).isFalse();
            assertThat(JdkCode.owns(frameOf(type))).isFalse();
            assertThat(JdkCode.find(type.getName())).isNull();
        }
        assertThat(
                        JdkCode.owns(
                                new StackTraceElement(
                                        null,
                                        "javafx.base",
                                        null,
                                        "javafx.util.Pair",
                                        "get",
                                        "",
                                        1)))
                .isFalse();
    }

    @Test
    void theJdksOwnLoadersLoadNothingOfTheApplication() {
        assertThat(JdkCode.ownsLoader(ForkJoinPool.class.getClassLoader())).isTrue();
        assertThat(JdkCode.ownsLoader(ClassLoader.getPlatformClassLoader())).isTrue();
        assertThat(JdkCode.ownsLoader(JdkCodeTest.class.getClassLoader())).isFalse();
    }

    private static StackTraceElement frameOf(Class<?> type) {
        return new StackTraceElement(
                null, type.getModule().getName(), null, type.getName(), "any", "", 1);
    }
}
