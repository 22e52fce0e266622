package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.cli.ContractOfTheCommandLine;
import io.vtagent.exporter.ContractOfTheEndpoint;
import io.vtagent.exporter.jmx.ContractOfTheBean;
import io.vtagent.jvm.ContractOfTheEvent;
import io.vtagent.options.ContractOfOptions;
import io.vtagent.report.ContractOfTheReport;
import java.io.IOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract with users and their dashboards, as the last release had it: the newest file of
 * {@code docs/contract}. Additions may be missing there. A release writes it:
 *
 * <pre>mvn -pl agent test -Dtest=ContractTest -Dcontract.write=0.1.0</pre>
 */
class ContractTest {
    private static final Path FOLDER = Path.of("..", "docs", "contract");
    private static final String ENDING = ".txt";

    /** A version, or nothing. */
    private final String written = System.getProperty("contract.write", "");

    private final NavigableSet<String> now = new TreeSet<>();

    ContractTest() throws Exception {
        Stream.of(
                        ContractOfOptions.lines(),
                        ContractOfTheEndpoint.lines(),
                        ContractOfTheReport.lines(),
                        ContractOfTheBean.lines(),
                        ContractOfTheEvent.lines(),
                        ContractOfTheCommandLine.lines())
                .flatMap(lines -> lines)
                .forEach(now::add);
    }

    @Test
    void nothingOfTheLastReleaseIsMissingOrOtherwise() throws IOException {
        if (!written.isEmpty()) {
            Files.createDirectories(FOLDER);
            Files.write(FOLDER.resolve(written + ENDING), now);
        }
        Path last = lastRelease();

        List<String> then = Files.readAllLines(last);
        assertThat(then).isNotEmpty();
        assertThat(then)
                .as("what %s has and this code has not: taken away, or changed", last.getFileName())
                .filteredOn(line -> !now.contains(line))
                .isEmpty();
    }

    /**
     * Each of the areas that the contract names is in it, and so are some lines that everybody
     * knows.
     */
    @Test
    void theContractHasAllThatWasPromised() {
        assertThat(now)
                .contains(
                        "option port default \"21491\"",
                        "option relief takes stuck",
                        "meter vthread.pinned{compensated,kind,reason} is a TIMER in seconds",
                        "metric vthread_pinned_seconds_count{compensated,kind,reason}",
                        "metric vthread_held_seconds_total may have kind=\"park\"",
                        "endpoint GET /api/report",
                        "endpoint GET /healthz",
                        "json report.version is 2",
                        "json history.seconds.queued",
                        "MXBean io.vtagent:type=VtAgent",
                        "MXBean operation since(long) gives java.lang.String",
                        "event io.vtagent.Pin has site, java.lang.String",
                        "command diff has --fail-above=LIMIT",
                        "exit code 1: a gate failed: diff --fail-above, check, internals");
    }

    private static Path lastRelease() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .max(Comparator.comparing(ContractTest::version))
                    .orElseThrow();
        }
    }

    private static Version version(Path file) {
        String name = file.getFileName().toString();
        // 0.1.0 is none to Java, for which the first number is a feature release
        return Version.parse("1." + name.substring(0, name.length() - ENDING.length()));
    }
}
