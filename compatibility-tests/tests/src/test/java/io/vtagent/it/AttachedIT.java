package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.vtagent.compatibility.launch.GarbageStorm;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attached at any moment of an application's start, the agent does no harm, and in the end all its
 * sensors work.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AttachedIT {
    private static final int TIMES = 3;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void whileSpringBootStarts() throws Exception {
        atRandomMoments(
                () -> launch().java("-jar", Artifacts.built("spring-boot-3", "spring-boot-3.jar")),
                ForkedJvm::terminate);
    }

    @Test
    void inAStormOfGarbageCollections() throws Exception {
        atRandomMoments(
                () ->
                        launch().vm("-Xmx64m")
                                .classPath(
                                        ForkedJvm.locationOf(GarbageStorm.class),
                                        Artifacts.jar("pins"),
                                        Artifacts.jar("blockhound"))
                                .main(GarbageStorm.class),
                ForkedJvm::end);
    }

    private ForkedJvm.Launch launch() {
        return ForkedJvm.on(jdk).carriers(4).vm("-XX:+EnableDynamicAgentLoading");
    }

    private void atRandomMoments(Supplier<ForkedJvm> application, ToIntFunction<ForkedJvm> ending)
            throws Exception {
        try (ForkedJvm plain = application.get()) {
            long start = System.nanoTime();
            ServedApplication served = new ServedApplication(plain);
            long millis = (System.nanoTime() - start) / 1_000_000;
            served.serve();
            int exit = ending.applyAsInt(plain);
            for (int seed = 0; seed < TIMES; seed++) {
                try (ForkedJvm jvm = application.get()) {
                    Thread.sleep(new Random(seed).nextLong(millis));
                    attach(jvm);
                    itServesAndCounts(jvm);
                    assertThat(ending.applyAsInt(jvm)).isEqualTo(exit);
                    assertThat(Lines.beyond(plain, jvm)).isEmpty();
                    assertThat(Lines.complaints(jvm)).isEmpty();
                }
            }
        }
    }

    private void itServesAndCounts(ForkedJvm jvm) {
        ServedApplication served = new ServedApplication(jvm);
        jvm.awaitMetrics(
                metrics ->
                        metrics.all("vthread_agent_sensor_up")
                                        .allMatch(sensor -> sensor.value() == 1)
                                && metrics.sum("vthread_agent_sensor_up", "sensor", "vm") == 1);
        served.serveAndCount(jvm, jdk);
    }

    private static void attach(ForkedJvm jvm) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
        try {
            machine.loadAgent(ForkedJvm.agentJar().toString(), "port=0,report=off,vm-events=on");
        } finally {
            machine.detach();
        }
    }
}
