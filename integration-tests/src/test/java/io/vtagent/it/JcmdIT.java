package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AlreadyLoaded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent's arguments as {@code jcmd PID JVMTI.agent_load} passes them on: it ends an argument at a {@code =}. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class JcmdIT {
    @Parameter
    Jdk jdk = Jdks.jdk21();

    @Test
    void keysAndValuesCanBeSeparatedByColons() throws Exception {
        try (ForkedJvm jvm = running()) {
            load(jvm, "port:0,report:off");

            assertThat(jvm.endpoint().isUp()).isTrue();
        }
    }

    @Test
    void whatWasCutOffIsAnsweredByHowToQuoteItAndThatWorks() throws Exception {
        try (ForkedJvm jvm = running()) {
            load(jvm, "port=0,report=off");

            String line = jvm.awaitStderr(error -> error.startsWith("[vt-agent]"));
            assertThat(line)
                    .startsWith("[vt-agent] argument \"port\" has no value, expected key=value or key:value")
                    .contains("JVMTI.agent_load vt-agent.jar '\"port=0,report=off\"'");
            // as the shell leaves it
            load(jvm, "\"port=0,report=off\"");
            assertThat(jvm.endpoint().isUp()).isTrue();
        }
    }

    private ForkedJvm running() {
        return ForkedJvm.on(jdk)
                .vm("-XX:+EnableDynamicAgentLoading")
                .main(AlreadyLoaded.class)
                .awaitLine("running");
    }

    private static void load(ForkedJvm jvm, String arguments) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(List.of(
                        jcmd.toString(),
                        Long.toString(jvm.pid()),
                        "JVMTI.agent_load",
                        ForkedJvm.agentJar().toString(),
                        arguments))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
