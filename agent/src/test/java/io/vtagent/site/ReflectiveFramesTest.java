package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReflectiveFramesTest {
    @ParameterizedTest
    @CsvSource({
        "jdk.proxy2.$Proxy11, true",
        "shop.$Proxy7, true",
        "$Proxy0, true",
        "$Proxy, false",
        "shop.$Proxy, false",
        "shop.$Proxy7Cache, false",
        "shop.$ProxyCache, false",
        "shop.Cart$Proxy7, false"
    })
    void aProxyIsNamedByANumber(String className, boolean proxy) {
        assertThat(ReflectiveFrames.isOne(className, "get")).isEqualTo(proxy);
    }

    @ParameterizedTest
    @CsvSource({"newInstance, true", "forName, false"})
    void ofClassOnlyNewInstanceIsReflective(String method, boolean reflective) {
        assertThat(ReflectiveFrames.isOne("java.lang.Class", method)).isEqualTo(reflective);
    }
}
