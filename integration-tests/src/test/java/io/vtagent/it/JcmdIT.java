package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AlreadyLoaded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent's arguments as {@code jcmd PID JVMTI.agent_load} passes them on: it ends an argument at
 * a {@code =}.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class JcmdIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void keysAndValuesCanBeSeparatedByColons() {
        try (ForkedJvm jvm = running()) {
            Jcmd.load(jvm, "port:0,report:off");

            assertThat(jvm.endpoint().isUp()).isTrue();
        }
    }

    @Test
    void whatWasCutOffIsAnsweredByHowToQuoteItAndThatWorks() {
        try (ForkedJvm jvm = running()) {
            Jcmd.load(jvm, "port=0,report=off");

            String line = jvm.awaitStderr(error -> error.startsWith("[vt-agent]"));
            assertThat(line)
                    .startsWith(
                            "[vt-agent] argument \"port\" has no value, expected key=value or"
                                    + " key:value")
                    .contains("JVMTI.agent_load vt-agent.jar '\"port=0,report=off\"'");
            // as the shell leaves it
            Jcmd.load(jvm, "\"port=0,report=off\"");
            assertThat(jvm.endpoint().isUp()).isTrue();
        }
    }

    @Test
    void optionsChangeAndTheAgentGoes() {
        try (ForkedJvm jvm = running()) {
            Jcmd.load(jvm, "port:0,report:off");
            Endpoint endpoint = jvm.endpoint();
            Jcmd.load(jvm, "set,relief:stuck");
            jvm.awaitStderr(line -> line.endsWith("options were changed: relief:stuck"));
            Jcmd.load(jvm, "detach");
            jvm.awaitStderr(line -> line.contains("vt-agent was detached"));
            assertThat(endpoint.isUp()).isFalse();
        }
    }

    private ForkedJvm running() {
        return ForkedJvm.on(jdk)
                .vm("-XX:+EnableDynamicAgentLoading")
                .main(AlreadyLoaded.class)
                .awaitLine("running");
    }
}
