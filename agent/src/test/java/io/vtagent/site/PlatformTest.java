package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformTest {
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
        assertThat(Platform.owns(type)).isTrue();
        assertThat(Platform.owns(frameOf(type))).isTrue();
        assertThat(Platform.find(name)).isSameAs(type);
    }

    @Test
    void allElseIsNot() {
        for (Class<?> type : new Class<?>[] {PlatformTest.class, Test.class}) {
            assertThat(Platform.owns(type)).isFalse();
            assertThat(Platform.owns(frameOf(type))).isFalse();
            assertThat(Platform.find(type.getName())).isNull();
        }
        assertThat(
                        Platform.owns(
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
        assertThat(Platform.ownsLoader(ForkJoinPool.class.getClassLoader())).isTrue();
        assertThat(Platform.ownsLoader(ClassLoader.getPlatformClassLoader())).isTrue();
        assertThat(Platform.ownsLoader(PlatformTest.class.getClassLoader())).isFalse();
    }

    private static StackTraceElement frameOf(Class<?> type) {
        return new StackTraceElement(
                null, type.getModule().getName(), null, type.getName(), "any", "", 1);
    }
}
