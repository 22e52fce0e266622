package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.vtagent.it.workload.AlreadyLoaded;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Pstress}: the agent is attached to a JVM that is stopped nearly all the time, as in a
 * container with hardly any CPU.
 */
final class AttachToThrottled {
    private static final String RUN_FOR_4_OF_400_MS =
            "while kill -STOP $0; do sleep 0.396; kill -CONT $0; sleep 0.004; done 2>/dev/null";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aSensorIsProvedLateButNotCondemned(Jdk jdk) throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(AlreadyLoaded.class)
                        .awaitLine("running")) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
            Process throttle =
                    new ProcessBuilder("bash", "-c", RUN_FOR_4_OF_400_MS, Long.toString(jvm.pid()))
                            .start();
            try {
                machine.loadAgent(ForkedJvm.agentJar().toString(), "port=0,report=off");
                jvm.awaitStderr(line -> line.contains("/metrics"));
                // long enough for a sensor without patience to be condemned
                throttle.waitFor(20, TimeUnit.SECONDS);
            } finally {
                throttle.destroy();
                throttle.waitFor();
                new ProcessBuilder("kill", "-CONT", Long.toString(jvm.pid())).start().waitFor();
                machine.detach();
            }
            jvm.awaitMetrics(
                    metrics ->
                            metrics.all("vthread_agent_sensor_up")
                                    .filter(sample -> !sample.label("sensor").equals("vm"))
                                    .allMatch(sample -> sample.value() == 1));
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("is down"));
            assertThat(jvm.proceed().awaitDone().metrics().pins("kind", "park")).isPositive();
        }
    }
}
