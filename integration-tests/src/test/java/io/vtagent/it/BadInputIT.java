package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.it.workload.Exiting;
import io.vtagent.it.workload.TimedWaits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad input for the agent: one line reports it, and the application runs and ends as it would have.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class BadInputIT {
    private static final int EXIT_CODE = 7;

    /** One in this many rows of the table is tested in a JVM. */
    private static final int EVERY = 11;

    private static final Path TABLE =
            Path.of(
                    System.getProperty("it.root", ".."),
                    "agent/src/test/resources/io/vtagent/options/bad-options.txt");

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    /** A row of the table of bad options, whose sentences the unit tests compare one by one. */
    @ParameterizedTest
    @MethodSource("sample")
    void whateverIsWrongTheApplicationRunsWithoutTheAgent(
            String source, String given, String sentence) throws IOException {
        Path file = folder.resolve("agent.properties");
        Files.writeString(file, given);
        int equals = given.indexOf('=');
        ForkedJvm.Launch launch = ForkedJvm.on(jdk);
        List<String> lines =
                stderrOf(
                        switch (source) {
                            case "arguments" -> launch.agent(given);
                            case "properties" -> launch.vm("-D" + given).agent("report=off");
                            case "environment" ->
                                    launch.env(
                                                    given.substring(0, equals),
                                                    given.substring(equals + 1))
                                            .agent("report=off");
                            default -> launch.agent("config=" + file);
                        });

        assertThat(lines)
                .singleElement(STRING)
                .startsWith(
                        "[vt-agent] "
                                + sentence.replaceAll("(KEYS|PROPERTIES)$", "")
                                        .replace("FILE", file.toString()))
                .endsWith("; the application runs without the agent");
    }

    static Stream<Arguments> sample() throws IOException {
        List<String> rows =
                Files.readAllLines(TABLE).stream()
                        .filter(row -> !row.startsWith("#") && !row.contains("\\u"))
                        .toList();
        assertThat(rows).hasSizeGreaterThan(100);
        return IntStream.range(0, rows.size())
                .filter(row -> row % EVERY == 0)
                .mapToObj(row -> Arguments.of((Object[]) rows.get(row).split(" *\\| *", -1)));
    }

    @Test
    void variablesOfAServiceThatIsNamedLikeTheAgentAreOneLineAndTheAgentRuns() {
        List<String> lines =
                stderrWithAgent(
                        ForkedJvm.on(jdk)
                                .env("VTAGENT_PORT", "tcp://10.0.0.1:80")
                                .env("VTAGENT_SERVICE_HOST", "10.0.0.1")
                                .env("VTAGENT_PORT_80_TCP_ADDR", "10.0.0.1")
                                .agent("report=off,port=off"));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith(
                        "[vt-agent] the environment has \"VTAGENT_PORT\","
                            + " \"VTAGENT_PORT_80_TCP_ADDR\", \"VTAGENT_SERVICE_HOST\", which the"
                            + " agent does not know and ignores");
        assertThat(lines.get(1)).matches("\\[vt-agent] \\S+ on JDK .*");
    }

    /** Ours is the same library in another package, and stops at a key that it does not know. */
    @Test
    void howTheApplicationConfiguresItsOwnPrometheusClientIsNothingToTheAgent() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm(
                                "-Dio.prometheus.exporter.http_server.port=many",
                                "-Dprometheus.config=no-such-file")
                        .env("IO_PROMETHEUS_METRICS_EXEMPLARS_ENABLED", "perhaps")
                        .env("PROMETHEUS_CONFIG", "no-such-file")
                        .agent()
                        .main(TimedWaits.class, 1, 1)
                        .awaitDone()) {
            assertThat(jvm.metrics().samples()).isNotEmpty();
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    @Test
    void aPortThatIsTakenCostsTheEndpointAlone() throws IOException {
        try (ServerSocket taken =
                new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String port = Integer.toString(taken.getLocalPort());
            assertOneComplaint(
                    stderrWithAgent(ForkedJvm.on(jdk).agent("report=off,port=" + port)),
                    "127.0.0.1:" + port,
                    "no endpoint");
        }
    }

    @Test
    void anAddressThatIsNotOfThisMachineCostsTheEndpointAlone() {
        // of the block that is reserved for documentation
        assertOneComplaint(
                stderrWithAgent(ForkedJvm.on(jdk).agent("report=off,port=0,bind=203.0.113.1")),
                "203.0.113.1",
                "no endpoint");
    }

    @Test
    void aReportThatCannotBeWrittenIsReportedAtTheStart() {
        Path report = folder.resolve("missing").resolve("report.json");
        List<String> lines = stderrOf(ForkedJvm.on(jdk).agent("port=off,report=" + report));

        assertThat(lines.get(0))
                .startsWith("[vt-agent] ")
                .contains("\"report\"", report.toString());
        assertThat(lines.stream().filter(line -> line.contains(report.toString()))).hasSize(1);
    }

    /** One line beside the agent's greeting, which has all of {@code words}. */
    private static void assertOneComplaint(List<String> lines, String... words) {
        assertThat(lines).allMatch(line -> line.startsWith("[vt-agent] "));
        List<String> complaints =
                lines.stream()
                        .filter(line -> !line.matches("\\[vt-agent] \\S+ on JDK .*"))
                        .toList();
        assertThat(complaints).singleElement(STRING).contains(words);
    }

    /** Returns the stderr of a program that ends with its own exit code. */
    private static List<String> stderrOf(ForkedJvm.Launch launch) {
        return stderrOf(launch.main(Exiting.class, EXIT_CODE));
    }

    /** That of a JVM that does not end before the agent has begun. */
    private static List<String> stderrWithAgent(ForkedJvm.Launch launch) {
        return stderrOf(launch.main(Exiting.class, EXIT_CODE, "waits").awaitBegun());
    }

    private static List<String> stderrOf(ForkedJvm started) {
        try (ForkedJvm jvm = started) {
            assertThat(jvm.end()).isEqualTo(EXIT_CODE);
            assertThat(jvm.stdout()).containsExactly("slept=2");
            return jvm.stderr();
        }
    }
}
