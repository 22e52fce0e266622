package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Pinned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell parts of {@code action.yml} and {@code ci/gitlab.yml}, as their runners start them. */
final class PipelinesIT {
    private static final Path ROOT = Path.of(System.getProperty("it.root", "..")).toAbsolutePath();
    private static final String PINNED = Pinned.class.getName();

    /** The command of GitHub, which notes what it is asked for. */
    private static final String GH =
            """
            #!/bin/sh
            [ -n "$GH_TOKEN" ] || exit 4
            printf '%s ' "$@" >>"$NOTES"
            echo >>"$NOTES"
            for word; do
                case $word in body=@*) cat "${word#body=@}" >"$NOTES.body" ;; esac
            done
            case $* in *--jq*) cat "$NOTES.existing" 2>/dev/null ;; esac
            exit "${GH_EXIT:-0}"
            """;

    @TempDir static Path reports = Path.of("");

    @TempDir Path folder = Path.of("");

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void measure() {
        report("small.json", 1, 1);
        report("large.json", 4, 50);
    }

    private static void report(String file, int tasks, int millis) {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(4)
                        .agent("port=off,report=" + reports.resolve(file))
                        .main(Pinned.class, tasks, millis)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            jvm.proceed().end();
        }
    }

    @BeforeEach
    void makeGh() throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        assertThat(Files.writeString(bin.resolve("gh"), GH).toFile().setExecutable(true)).isTrue();
        Files.createDirectory(folder.resolve("job"));
    }

    /** Runs {@code command} in the folder {@code job}, with the JDK and {@code gh} on the path. */
    private Ended run(List<String> command, Map<String, String> variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(folder.resolve("job").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("VTAGENT_"));
        environment.put(
                "PATH",
                Stream.of(folder.resolve("bin"), Jdks.jdk21().home().resolve("bin"))
                        .map(Path::toString)
                        .reduce("", (all, each) -> all + each + ":")
                        .concat(System.getenv("PATH")));
        environment.put("GATE_JAR", ForkedJvm.agentJar().toString());
        environment.put("GATE_REPORT", reports.resolve("large.json").toString());
        environment.put("NOTES", folder.resolve("gh").toString());
        environment.putAll(variables);
        builder.redirectOutput(folder.resolve("out").toFile());
        builder.redirectError(folder.resolve("err").toFile());
        int code = builder.start().waitFor();
        return new Ended(code, read("out"), read("err"));
    }

    private String read(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Files.readString(path) : "";
    }

    /** Runs the step of the action as GitHub's runner does. */
    private Ended action(Map<String, String> inputs) throws Exception {
        Map<String, String> variables =
                new HashMap<>(
                        Map.of(
                                "GITHUB_ACTION_PATH", ROOT.toString(),
                                "GITHUB_REPOSITORY", "acme/shop",
                                "GITHUB_STEP_SUMMARY", folder.resolve("summary").toString(),
                                "GITHUB_OUTPUT", folder.resolve("output").toString(),
                                "GATE_PULL_REQUEST", "7",
                                // as from inputs that are not given
                                "VTAGENT_TOKEN", "",
                                "GH_TOKEN", ""));
        variables.putAll(inputs);
        return run(
                List.of(
                        "bash",
                        "--noprofile",
                        "--norc",
                        "-eo",
                        "pipefail",
                        "-c",
                        "\"$GITHUB_ACTION_PATH/ci/github\""),
                variables);
    }

    /** Runs the script of the template as GitLab's runner does. */
    private Ended gitlab(Map<String, String> variables) throws Exception {
        String script =
                Pattern.compile("(?m)^    - \\|\\n((?:      .*\\n)+)")
                        .matcher(Files.readString(ROOT.resolve("ci/gitlab.yml")))
                        .results()
                        .map(match -> match.group(1))
                        .findFirst()
                        .orElseThrow();
        Map<String, String> all =
                new HashMap<>(Map.of("GATE_LIMITS", "", "GATE_BASELINE", "", "GATE_GROWTH", ""));
        all.putAll(variables);
        return run(List.of("sh", "-e", "-c", script), all);
    }

    @Test
    void theActionFailsWithAnnotationsAndASummary() throws Exception {
        Ended ended =
                action(
                        Map.of(
                                "GATE_LIMITS",
                                "--max-share 100%\n--no-site " + PINNED,
                                "GATE_JUNIT",
                                "xml"));

        assertThat(ended.code()).as("%s", ended).isEqualTo(1);
        assertThat(ended.out()).contains("failed: --no-site " + PINNED);
        assertThat(ended.err())
                .contains("::error file=io/vtagent/it/workload/Pinned.java,line=")
                .doesNotContain("--max-share");
        assertThat(read("summary"))
                .startsWith("### vt-agent check: failed\n")
                .contains("\nfailed: --no-site " + PINNED);
        assertThat(read("output")).isEqualTo("passed=false\n");
        assertThat(folder.resolve("job/xml/vt-agent-check.xml"))
                .content(StandardCharsets.UTF_8)
                .contains("tests=\"2\" failures=\"1\"");
        assertThat(read("gh")).isEmpty();
    }

    @Test
    void theActionComparesWithABaseline() throws Exception {
        String large = reports.resolve("large.json").toString();
        Ended same = action(Map.of("GATE_BASELINE", large, "GATE_GROWTH", "--fail-above 0%"));
        assertThat(same.code()).as("%s", same).isZero();
        assertThat(read("output")).isEqualTo("passed=true\n");

        Ended grew =
                action(
                        Map.of(
                                "GATE_BASELINE",
                                reports.resolve("small.json").toString(),
                                "GATE_GROWTH",
                                "--per 1 --fail-above 10ms"));
        assertThat(grew.code()).as("%s", grew).isEqualTo(1);
        assertThat(read("summary")).contains("### vt-agent diff: passed", "diff: failed");
    }

    @Test
    void theActionReportsWrongInputs() throws Exception {
        Ended missing = action(Map.of("GATE_REPORT", "none.json", "GATE_LIMITS", "--max-share 1%"));
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.out())
                .contains("::error title=vt-agent check::vt-agent: there is no file none.json");
        assertThat(read("output")).isEqualTo("passed=false\n");

        Ended nothing = action(Map.of());
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.out()).contains("neither limits nor baseline is given");

        Ended half =
                action(
                        Map.of(
                                "GATE_LIMITS", "--max-share 1%",
                                "GATE_GROWTH", "--fail-above 5%"));
        assertThat(half.code()).isEqualTo(2);
        assertThat(half.out()).contains("growth is given without a baseline");

        Ended noReport = action(Map.of("GATE_REPORT", ""));
        assertThat(noReport.code()).isEqualTo(2);
        assertThat(noReport.out()).contains("the input report is not given");
    }

    @Test
    void aCommentIsWrittenOnceAndThenReplaced() throws Exception {
        Map<String, String> inputs =
                Map.of("GATE_LIMITS", "--max-share 100%", "GH_TOKEN", "a-token");
        assertThat(action(inputs).code()).isZero();
        assertThat(read("gh"))
                .contains("api --method POST repos/acme/shop/issues/7/comments -F body=@");
        assertThat(read("gh.body"))
                .startsWith("<!-- vt-agent gate -->\n### vt-agent check: passed\n")
                .contains("\npassed: ");

        Files.writeString(folder.resolve("gh.existing"), "42\n43\n");
        assertThat(action(inputs).code()).isZero();
        assertThat(read("gh"))
                .contains("api --method PATCH repos/acme/shop/issues/comments/42 -F body=@");
    }

    @Test
    void aCommentThatIsRefusedFailsNothing() throws Exception {
        Ended ended =
                action(
                        Map.of(
                                "GATE_LIMITS", "--max-share 100%",
                                "GH_TOKEN", "may-only-read",
                                "GH_EXIT", "1"));

        assertThat(ended.code()).as("%s", ended).isZero();
        assertThat(ended.out()).contains("::warning title=vt-agent::the comment could not");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$(touch${IFS}taken)",
                "`touch taken`",
                "x;touch taken",
                "\";touch taken;\"",
                "*"
            })
    void noVariableIsRunOrExpanded(String text) throws Exception {
        Files.createFile(folder.resolve("job/other"));
        Map<String, String> variables =
                Map.of(
                        "GATE_LIMITS", "--no-site com.acme." + text,
                        "GATE_GROWTH", text,
                        "GATE_SOURCE_ROOTS", text,
                        "GATE_REPORT", text,
                        "GATE_BASELINE", text);
        assertThat(action(variables).code()).isEqualTo(2);
        assertThat(gitlab(variables).code()).isEqualTo(2);

        try (Stream<Path> files = Files.list(folder.resolve("job"))) {
            assertThat(files).containsExactly(folder.resolve("job/other"));
        }
        assertThat(read("err")).doesNotContain("other");
    }

    @Test
    void inputsReachTheStepAsVariablesOnly() throws IOException {
        String action = Files.readString(ROOT.resolve("action.yml"));
        List<String> inputs =
                Pattern.compile("(?m)^  ([a-z-]+):$")
                        .matcher(action.substring(0, action.indexOf("\noutputs:")))
                        .results()
                        .map(match -> match.group(1))
                        .toList();
        List<String> used =
                Pattern.compile("(?m)^ {8}[A-Z_]+: \\$\\{\\{ inputs\\.([a-z-]+) }}$")
                        .matcher(action)
                        .results()
                        .map(match -> match.group(1))
                        .toList();

        assertThat(used).containsExactlyInAnyOrderElementsOf(inputs);
        // the others are the number of the pull request, and the output
        assertThat(Pattern.compile("\\$\\{\\{[^}]*}}").matcher(action).results())
                .extracting(MatchResult::group)
                .hasSize(inputs.size() + 2);
        assertThat(action).contains("run: '\"$GITHUB_ACTION_PATH/ci/github\"'\n");
    }

    @Test
    void theTemplateOfGitlabRunsBothGates() throws Exception {
        Ended failed =
                gitlab(
                        Map.of(
                                "GATE_LIMITS", "--max-share 100%",
                                "GATE_BASELINE", reports.resolve("small.json").toString(),
                                "GATE_GROWTH", "--per 1 --fail-above 10ms"));
        assertThat(failed.code()).as("%s", failed).isEqualTo(1);
        assertThat(failed.out()).contains("passed: ", "failed: it grew by more than 10ms");
        assertThat(folder.resolve("job/vt-agent-check.xml")).exists();
        assertThat(folder.resolve("job/vt-agent-diff.xml")).exists();

        Ended passed = gitlab(Map.of("GATE_LIMITS", "--max-share 100%"));
        assertThat(passed.code()).as("%s", passed).isZero();

        Ended half =
                gitlab(
                        Map.of(
                                "GATE_LIMITS", "--max-share 1%",
                                "GATE_GROWTH", "--fail-above 5%"));
        assertThat(half.code()).isEqualTo(2);
        assertThat(half.err()).contains("GATE_GROWTH is given without GATE_BASELINE");

        Ended nothing = gitlab(Map.of());
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("neither GATE_LIMITS nor GATE_BASELINE is given");
    }
}
