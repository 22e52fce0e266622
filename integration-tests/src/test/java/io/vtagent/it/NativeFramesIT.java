package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.NativeFrames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that native code has called: it cannot unmount on any JDK. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class NativeFramesIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aParkBelowANativeFrameIsOnePark() {
        try (ForkedJvm jvm = below("park").awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            assertThat(metrics.pins("kind", "park")).isEqualTo(1);
            assertThat(metrics.pins("kind", "park", "reason", "native")).isEqualTo(1);
        }
    }

    @Test
    void theSiteOfAParkBelowANativeFrameIsThatFrame() {
        try (ForkedJvm jvm = below("park").awaitLine("warm")) {
            jvm.proceed();
            jvm.awaitDone();

            Json site = jvm.endpoint().report().get("sites").list().get(0);
            assertThat(site.get("site").string()).contains("NativeAccessor.invoke0");
            assertThat(site.get("cause").string()).isEqualTo("native");
            assertThat(site.get("caller").string()).isEqualTo(jvm.fact("caller"));
        }
    }

    @Test
    void aWaitBelowANativeFrameIsOneWait() {
        try (ForkedJvm jvm = below("await").awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            assertThat(metrics.pins("kind", "wait")).isEqualTo(1);
            assertThat(
                            metrics.pins(
                                    "kind",
                                    "wait",
                                    "reason",
                                    jdk.monitorsPin() ? "monitor" : "native"))
                    .isEqualTo(1);
        }
    }

    private ForkedJvm below(String blocking) {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-Xverify:all", "-Djdk.reflect.useNativeAccessorOnly=true")
                .agent()
                .main(NativeFrames.class, blocking, 100);
    }
}
