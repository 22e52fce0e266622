package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import com.sun.tools.attach.VirtualMachine;
import io.vtagent.it.workload.StuckCarriers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent is attached when the JVM is already in trouble, which is a frequent reason to attach
 * it. It makes that no worse, and reports the cause.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AttachWhenStuckIT {
    private static final int CARRIERS = 4;

    /**
     * A busy machine may need this long to load an agent; without a limit the test would never end.
     */
    private static final Duration SOON = Duration.ofSeconds(15);

    @Parameter Jdk jdk = Jdks.jdk21();

    @ParameterizedTest
    @ValueSource(strings = {"monitor", "wait", "inNative"})
    void aJvmAllOfWhoseCarriersAreHeldAnswersAfterwardsAsBefore(String how) throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm(
                                "-XX:+EnableDynamicAgentLoading",
                                "-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS,
                                "-Djdk.reflect.useNativeAccessorOnly=true",
                                "--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .main(StuckCarriers.class, how, CARRIERS)
                        .awaitLine("stuck")) {
            attach(jvm).get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(threadDump(jvm).get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .contains("vt-agent");

            Metrics metrics = jvm.metrics();
            assertThat(metrics.all("vthread_agent_sensor_up")).isNotEmpty();
            assertThat(jvm.stderr()).noneMatch(line -> line.contains(" is down ("));
            // on carriers of its own the agent proves its sensors all the same
            jvm.awaitMetrics(
                    now ->
                            now.sum("vthread_carriers_held") == CARRIERS
                                    && List.of("park", "wait", "io").stream()
                                            .allMatch(
                                                    sensor ->
                                                            now.sum(
                                                                            "vthread_agent_sensor_up",
                                                                            "sensor",
                                                                            sensor)
                                                                    == 1));
            assertThat(
                            jvm.awaitStderr(
                                    line ->
                                            line.startsWith(
                                                    "[vt-agent] every carrier has been held for ")))
                    .containsPattern("(each|of them) at `io\\.vtagent\\.it\\.workload\\.");

            jvm.proceed().awaitLine("free");
            Metrics before = jvm.metrics();
            int pins = (int) jvm.proceed().awaitLine("pinned").number("pins");
            assertThat(jvm.metrics().since(before).pins("kind", "park")).isEqualTo(pins);
            assertThat(jvm.end()).isZero();
        }
    }

    @Test
    void whileTheJvmEndsItIsNoneOfTheApplicationsBusiness() throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(StuckCarriers.class, "ending", CARRIERS)
                        .awaitLine("ending")) {
            CompletableFuture<Void> attached = attach(jvm);
            // it hangs in a shutdown hook until then, and the answer may not come to pass
            await().atMost(SOON).until(() -> attached.isDone());
            assertThat(jvm.end()).isEqualTo(StuckCarriers.EXIT_CODE);
        }
    }

    private static CompletableFuture<Void> attach(ForkedJvm jvm) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
                        try {
                            machine.loadAgent(
                                    ForkedJvm.agentJar().toString(),
                                    "port=0,report=off,starvation-after=500ms");
                        } finally {
                            machine.detach();
                        }
                    } catch (Exception failed) {
                        throw new AssertionError("cannot attach\n" + jvm, failed);
                    }
                });
    }

    private static CompletableFuture<String> threadDump(ForkedJvm jvm) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Process jcmd =
                                new ProcessBuilder(
                                                Jdks.jdk25().home().resolve("bin/jcmd").toString(),
                                                Long.toString(jvm.pid()),
                                                "Thread.print")
                                        .redirectErrorStream(true)
                                        .start();
                        return new String(
                                jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException failed) {
                        throw new AssertionError(failed);
                    }
                });
    }
}
