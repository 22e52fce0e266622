package io.vtagent.demo.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VariantTest {

    @Test
    void aVariantMayNeedOptionsOfItsJvm() {
        assertThat(
                        Variant.of("narrow", "on one carrier")
                                .onJvm("-Xint")
                                .onCarriers(1, 2)
                                .jvmOptions())
                .containsExactly(
                        "-Xint",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=2");
    }

    @Test
    void variantsMayDifferByOptionsOfTheAgent() {
        assertThat(
                        Variant.of("deep", "with whole stacks")
                                .underAgent("stack-depth=512")
                                .agentOptions())
                .containsExactly("stack-depth=512");
    }
}
