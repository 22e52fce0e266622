package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AotCacheTest {
    private static final String[] WITH_CACHE = {"-Xmx1g", "-XX:AOTCache=app.aot"};

    @Test
    void aCacheThatIsNotUsedIsReported() {
        assertThat(AotCache.refusal("mixed mode", WITH_CACHE))
                .contains("app.aot", "--add-modules=java.instrument");
    }

    @Test
    void aCacheThatIsUsedIsNot() {
        assertThat(AotCache.refusal("mixed mode, sharing", WITH_CACHE)).isNull();
    }

    @Test
    void norIsOneThatNobodyAskedFor() {
        assertThat(AotCache.refusal("mixed mode", new String[] {"-Xmx1g"})).isNull();
        assertThat(
                        AotCache.refusal(
                                "mixed mode", new String[] {"-XX:AOTCache=app.aot", "-Xshare:off"}))
                .isNull();
        assertThat(AotCache.refusal("mixed mode", null)).as("no options").isNull();
        assertThat(AotCache.refusal()).as("in this JVM").isNull();
    }
}
