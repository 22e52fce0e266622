package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.compatibility.launch.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two agents in one JVM, in both orders: the application serves and ends as with the other one
 * alone, the other one finds what it found alone, and every pin is counted.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class OtherAgentsIT {
    private static final int ENTERED = 10;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void openTelemetryTracesTheRequestsOfTheApplicationAndNoneToTheAgent(@TempDir Path folder) {
        inTomcat(
                agent("opentelemetry", ""),
                List.of(
                        "-Dotel.traces.exporter=console",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-Dotel.service.name=compatibility"),
                folder,
                jvm -> tracesOnStderr(jvm, "LoggingSpanExporter"));
    }

    @Test
    void datadogTracesTheRequestsOfTheApplicationAndNoneToTheAgent(@TempDir Path folder) {
        inTomcat(
                agent("datadog", ""),
                List.of(
                        "-Ddd.writer.type=LoggingWriter",
                        "-Ddd.instrumentation.telemetry.enabled=false",
                        "-Ddd.remote_config.enabled=false",
                        "-Ddd.jmxfetch.enabled=false"),
                folder,
                jvm -> tracesOnStderr(jvm, "LoggingWriter - write(trace)"));
    }

    private static long tracesOnStderr(ForkedJvm jvm, String exporter) {
        return jvm.stderr().stream().filter(line -> line.contains(exporter)).count();
    }

    @Test
    void elasticTracesTheRequestsOfTheApplicationAndNoneToTheAgent(@TempDir Path folder)
            throws IOException {
        try (ElasticServer server = new ElasticServer()) {
            inTomcat(
                    agent("elastic", ""),
                    List.of(
                            "-Delastic.apm.server_urls=" + server.url(),
                            "-Delastic.apm.service_name=compatibility",
                            "-Delastic.apm.api_request_time=1s",
                            "-Delastic.apm.cloud_provider=NONE",
                            "-Delastic.apm.central_config=false"),
                    folder,
                    server::transactionsOf);
        }
    }

    /** The requests that {@link ServedApplication} makes are traced, and no others. */
    private void inTomcat(
            String other, List<String> options, Path folder, ToLongFunction<ForkedJvm> traces) {
        Function<ForkedJvm.Launch, ForkedJvm> tomcat =
                launch -> FrameworksIT.tomcat(launch.vm(options.toArray(String[]::new)), folder);
        try (ForkedJvm alone = tomcat.apply(launch().vm(other))) {
            ServedApplication served = new ServedApplication(alone);
            served.serve();
            int exit = endOf(alone, served, traces);
            for (ForkedJvm.Launch launch : inBothOrders(other)) {
                try (ForkedJvm both = tomcat.apply(launch)) {
                    ServedApplication beside = new ServedApplication(both);
                    beside.serveAndCount(both, jdk);
                    assertThat(endOf(both, beside, traces)).isEqualTo(exit);
                    sameLines(alone, both);
                }
            }
        }
    }

    /** The exit code of what has traced neither less nor more than it was asked. */
    private static int endOf(
            ForkedJvm jvm, ServedApplication served, ToLongFunction<ForkedJvm> traces) {
        // an answer is there before its trace is
        await("a trace for each request")
                .atMost(Duration.ofSeconds(60))
                .until(() -> traces.applyAsLong(jvm) >= served.requests());
        int exit = jvm.terminate();
        assertThat(traces.applyAsLong(jvm)).isEqualTo(served.requests());
        return exit;
    }

    @Test
    void jacocoWritesTheSameCoverage(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("jacoco.exec");
        String other =
                agent(
                        "jacoco",
                        "=append=false,includes=io.vtagent.compatibility.*,destfile=" + file);
        try (ForkedJvm alone = server(launch().vm(other))) {
            new ServedApplication(alone).serve();
            assertThat(alone.end()).isEqualTo(7);
            Map<String, String> coverage = coverage(file);
            assertThat(coverage).containsKey("io/vtagent/compatibility/pins/Pins");
            for (ForkedJvm.Launch launch : inBothOrders(other)) {
                try (ForkedJvm both = server(launch)) {
                    new ServedApplication(both).serveAndCount(both, jdk);
                    assertThat(both.end()).isEqualTo(7);
                    assertThat(coverage(file)).isEqualTo(coverage);
                    sameLines(alone, both);
                }
            }
        }
    }

    /**
     * By class, its id, which is a checksum of the class file that JaCoCo saw, and what ran of it.
     */
    private static Map<String, String> coverage(Path file) throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(file.toFile());
        Map<String, String> coverage = new TreeMap<>();
        for (ExecutionData data : loader.getExecutionDataStore().getContents()) {
            coverage.put(
                    data.getName(),
                    Long.toHexString(data.getId()) + Arrays.toString(data.getProbes()));
        }
        return coverage;
    }

    @Test
    void blockHoundStopsAThreadThatMustNotBlockAndNeverForWhatTheAgentDoesOnIt() {
        String other = agent("blockhound", "");
        String option = "-XX:+AllowRedefinitionToAddDeleteMethods";
        String stopped = "reactor.blockhound.BlockingOperationError";
        try (ForkedJvm alone = server(launch().vm(option, other))) {
            ServedApplication served = new ServedApplication(alone);
            served.serve();
            assertThat(served.get("/never-blocks")).isEqualTo(stopped);
            assertThat(alone.end()).isEqualTo(7);
            for (ForkedJvm.Launch launch : inBothOrders(other)) {
                try (ForkedJvm both = server(launch.vm(option))) {
                    ServedApplication beside = new ServedApplication(both);
                    beside.serveAndCount(both, jdk);
                    assertThat(beside.get("/never-blocks")).isEqualTo(stopped);
                    for (int i = 0; i < ENTERED; i++) {
                        assertThat(beside.get("/never-blocks-enters")).isEqualTo("nothing");
                    }
                    assertThat(both.metrics().pins("kind", "enter"))
                            .isGreaterThanOrEqualTo(jdk.monitorsPin() ? ENTERED : 0);
                    assertThat(both.end()).isEqualTo(7);
                    sameLines(alone, both);
                }
            }
        }
    }

    private static void sameLines(ForkedJvm alone, ForkedJvm both) {
        assertThat(Lines.beyond(alone, both)).isEmpty();
        assertThat(Lines.complaints(both)).isEmpty();
    }

    private static String agent(String name, String arguments) {
        return "-javaagent:" + Artifacts.jar(name) + arguments;
    }

    private List<ForkedJvm.Launch> inBothOrders(String other) {
        return List.of(launch().agent().vm(other), launch().vm(other).agent());
    }

    private ForkedJvm.Launch launch() {
        return ForkedJvm.on(jdk).carriers(4);
    }

    private static ForkedJvm server(ForkedJvm.Launch launch) {
        return launch.classPath(
                        ForkedJvm.locationOf(Server.class),
                        Artifacts.jar("pins"),
                        Artifacts.jar("blockhound"))
                .main(Server.class);
    }
}
