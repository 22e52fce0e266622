package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.it.workload.Exiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with what the agent was given: one line says it, and the application runs and ends as it would have. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class BadInputIT {
    private static final int EXIT_CODE = 7;

    @Parameter
    Jdk jdk = Jdks.jdk21();

    @TempDir
    Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port=65536          | port            | 65536    | a port from 0 to 65535, or off",
                "port=many           | port            | many     | a port from 0 to 65535, or off",
                "bind=               | bind            | ``       | an address",
                "report=file.doc     | report          | file.doc | .txt, .json or .html",
                "stack-threshold=2   | stack-threshold | 2        | a duration from 0 to 1h",
                "stack-threshold=2h  | stack-threshold | 2h       | a duration from 0 to 1h",
                "stack-depth=0       | stack-depth     | 0        | a number from 1 to 1024",
                "max-sites=-1        | max-sites       | -1       | a number from 1 to 10000",
                "synchronized=yes    | synchronized    | yes      | on or off",
                "histogram=1         | histogram       | 1        | on or off",
                "include=a-b         | include         | a-b      | package prefixes",
                "tags=a              | tags            | a        | key:value pairs",
                "log=loud            | log             | loud     | off, error, info or debug"
            },
            quoteCharacter = '`')
    void aValueThatIsOutOfRangeLeavesTheAgentOut(String argument, String key, String value, String expected) {
        assertThat(stderrOf(ForkedJvm.on(jdk).agent(argument)))
                .singleElement(STRING)
                .startsWith(
                        "[vt-agent] option \"" + key + "\" of the agent's arguments is \"" + value + "\", expected ")
                .contains(expected)
                .endsWith("; the application runs without the agent");
    }

    @Test
    void anOptionThatIsUnknownLeavesTheAgentOut() {
        assertThat(stderrOf(ForkedJvm.on(jdk).agent("prot=9464")))
                .singleElement(STRING)
                .startsWith(
                        "[vt-agent] unknown option \"prot\" (value \"9464\") in the agent's arguments, expected one of port, ")
                .endsWith("; the application runs without the agent");
        assertThat(stderrOf(ForkedJvm.on(jdk).vm("-Dvtagent.prot=1").agent("report=off")))
                .singleElement(STRING)
                .contains("\"vtagent.prot\"");
        assertThat(stderrOf(ForkedJvm.on(jdk).env("VTAGENT_PROT", "1").agent("report=off")))
                .singleElement(STRING)
                .contains("\"VTAGENT_PROT\"");
    }

    @Test
    void anArgumentWithoutAValueLeavesTheAgentOut() {
        assertThat(stderrOf(ForkedJvm.on(jdk).agent("port")))
                .singleElement(STRING)
                .startsWith("[vt-agent] argument \"port\" has no value, expected key=value");
    }

    @Test
    void aPortThatIsTakenCostsTheEndpointAlone() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String port = Integer.toString(taken.getLocalPort());
            assertOneComplaint(
                    stderrOf(ForkedJvm.on(jdk).agent("report=off,port=" + port)), "127.0.0.1:" + port, "no endpoint");
        }
    }

    @Test
    void anAddressThatIsNotOfThisMachineCostsTheEndpointAlone() {
        // of the block that is reserved for documentation
        assertOneComplaint(
                stderrOf(ForkedJvm.on(jdk).agent("report=off,port=0,bind=203.0.113.1")), "203.0.113.1", "no endpoint");
    }

    @Test
    void aReportThatCannotBeWrittenIsSaidAtTheStart() {
        Path report = folder.resolve("missing").resolve("report.json");
        List<String> lines = stderrOf(ForkedJvm.on(jdk).agent("port=off,report=" + report));

        assertThat(lines.get(0)).startsWith("[vt-agent] ").contains("\"report\"", report.toString());
        assertThat(lines.stream().filter(line -> line.contains(report.toString())))
                .hasSize(1);
    }

    @Test
    void aConfigFileThatIsMissingLeavesTheAgentOut() {
        Path file = folder.resolve("missing.properties");
        assertThat(stderrOf(ForkedJvm.on(jdk).agent("config=" + file)))
                .singleElement(STRING)
                .startsWith("[vt-agent] option \"config\"")
                .contains(file.toString())
                .endsWith("; the application runs without the agent");
    }

    /** One line beside the agent's greeting, which has all of {@code words}. */
    private static void assertOneComplaint(List<String> lines, String... words) {
        assertThat(lines).allMatch(line -> line.startsWith("[vt-agent] "));
        List<String> complaints = lines.stream()
                .filter(line -> !line.matches("\\[vt-agent] \\S+ on JDK .*"))
                .toList();
        assertThat(complaints).singleElement(STRING).contains(words);
    }

    /** Of a program that ends with its own exit code. */
    private static List<String> stderrOf(ForkedJvm.Launch launch) {
        try (ForkedJvm jvm = launch.main(Exiting.class, EXIT_CODE)) {
            assertThat(jvm.end()).isEqualTo(EXIT_CODE);
            assertThat(jvm.stdout()).containsExactly("slept=2");
            return jvm.stderr();
        }
    }
}
