package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.vtagent.it.workload.OwnSystemLoader;
import io.vtagent.it.workload.SystemLoaded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application whose system class loader is its own. It must have the method {@code
 * appendToClassPathForInstrumentation}: the JVM starts with no agent at all without it.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class SystemLoaderIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @ParameterizedTest
    @ValueSource(strings = {"delegates", "alone"})
    void itsClassesAreWrappedAndNamedAndReachNothingThatTheAgentOpened(String how) {
        try (ForkedJvm jvm = on(how).agent().main(SystemLoaded.class)) {
            jvm.proceed().awaitDone();
            Metrics metrics = jvm.metrics();

            assertThat(jvm.fact("loader")).isEqualTo(OwnSystemLoader.class.getSimpleName());
            assertThat(jvm.fact("synchronized")).isEqualTo("false");
            assertThat(jvm.fact("open")).isEqualTo("false");
            assertThat(metrics.sites("enter").keySet())
                    .hasSize(1)
                    .allMatch(site -> site.startsWith(SystemLoaded.class.getName() + ".enter:"));
        }
    }

    @Test
    void theAgentIsAttachedThroughALoaderWithoutCodeSource() throws Exception {
        try (ForkedJvm jvm =
                on("alone")
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(SystemLoaded.class)
                        .awaitLine("running")) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
            try {
                machine.loadAgent(ForkedJvm.agentJar().toString(), "port=0,report=off");
            } finally {
                machine.detach();
            }
            jvm.endpoint();
            jvm.proceed().awaitDone();

            assertThat(jvm.fact("open")).isEqualTo("false");
            assertThat(jvm.metrics().sites("enter").keySet())
                    .hasSize(1)
                    .allMatch(site -> site.startsWith(SystemLoaded.class.getName() + ".enter:"));
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    private ForkedJvm.Launch on(String how) {
        return ForkedJvm.on(jdk)
                .vm(
                        "-Djava.system.class.loader=" + OwnSystemLoader.class.getName(),
                        "-Down.loader=" + how);
    }
}
