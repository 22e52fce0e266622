package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.json.JsonFields;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineToolTest {
    private static final PinReport OLD =
            Reports.of(10 * SECOND, site("com.acme.Cart.add:12", 3, 100 * MILLI));
    private static final PinReport NEW =
            Reports.of(10 * SECOND, site("com.acme.Cart.add:12", 3, 120 * MILLI));

    @TempDir Path folder = Path.of("");

    private String before = "";
    private String after = "";
    private String out = "";
    private String err = "";

    @BeforeEach
    void writeReports() throws IOException {
        before = write("old.json", JsonReport.render(OLD, JsonReport.Detail.ALL));
        after = write("new.json", JsonReport.render(NEW, JsonReport.Detail.ALL));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String... arguments) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        ByteArrayOutputStream complaint = new ByteArrayOutputStream();
        int code =
                CommandLineTool.run(
                        new PrintStream(answer, true, StandardCharsets.UTF_8),
                        new PrintStream(complaint, true, StandardCharsets.UTF_8),
                        arguments);
        out = answer.toString(StandardCharsets.UTF_8);
        err = complaint.toString(StandardCharsets.UTF_8);
        return code;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "top",
                "threads",
                "report",
                "diff",
                "check",
                "attach",
                "set",
                "detach",
                "internals"
            })
    void eachCommandPrintsItsUsage(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out)
                .startsWith("Usage: java -jar vt-agent.jar " + command)
                .contains("Exit codes:", "   2   bad input");
        assertThat(out.contains("   1   "))
                .isEqualTo(List.of("diff", "check", "internals").contains(command));
        assertThat(err).isEmpty();
        String help = out;
        assertThat(run(command, "-h")).isZero();
        assertThat(out).isEqualTo(help);
    }

    @Test
    void theToolListsItsCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out)
                .contains("  top ", "  report ", "  diff ", "  check ", "-javaagent:vt-agent.jar");
        assertThat(run()).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err).startsWith("Usage: java -jar vt-agent.jar");
    }

    @Test
    void theVersionNamesTheJvmToo() {
        assertThat(run("--version")).isZero();
        assertThat(out)
                .startsWith("vt-agent ")
                .contains("on JDK " + System.getProperty("java.version"));
    }

    @Test
    void aReportIsPrintedAsText() {
        assertThat(run("report", before)).isZero();
        assertThat(out).isEqualTo(TextReport.render(OLD));
    }

    @Test
    void orAsItIs() throws IOException {
        String same = write("same.json", "  " + JsonReport.render(OLD, JsonReport.Detail.ALL));
        assertThat(run("report", same, "--json")).isZero();
        assertThat(out).isEqualTo(Files.readString(Path.of(same)));
    }

    @Test
    void orWrittenAsAPage() throws IOException {
        Path page = folder.resolve("page.html");
        assertThat(run("report", before, "--html", page.toString())).isZero();
        assertThat(page).content().startsWith("<!").contains("com.acme.Cart.add:12");
        assertThat(out + err).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"19%, 1", "20%, 0", "1ms, 1", "2ms, 0"})
    void diffFailsAboveItsLimit(String limit, int code) {
        assertThat(run("diff", before, after, "--fail-above", limit)).isEqualTo(code);
        assertThat(out)
                .contains(
                        "+2.0 ms",
                        code == 1 ? "failed: it grew by more than " + limit : "passed: ");
        assertThat(err).isEmpty();
    }

    @Test
    void diffWritesAPageBesidesItsAnswer() throws Exception {
        Path page = folder.resolve("diff.html");
        assertThat(run("diff", before, after, "--html", page.toString(), "--fail-above", "5%"))
                .isEqualTo(1);
        assertThat(out).contains("+2.0 ms", "failed: it grew by more than 5%");
        assertThat(err).isEmpty();
        assertThat(page)
                .content()
                .startsWith("<!")
                .contains("com.acme.Cart.add:12", "com.acme.Outer.call0(")
                .doesNotContain("page/icon.svg", "page/page.css", "page/diff.js");
        assertThat(run("diff", before, after, "--json")).isZero();
        assertThat(page).content().contains(out.strip().substring(1, 200));
    }

    @Test
    void diffWithoutALimitNeverFails() {
        assertThat(run("diff", before, after)).isZero();
        assertThat(out).doesNotContain("passed", "failed");
    }

    @Test
    void diffCountsWhatTheUserCounts() throws Exception {
        assertThat(run("diff", before, after, "--per", "100,200", "--unit", "request", "--json"))
                .isZero();
        JsonFields json = JsonFields.parse(out);

        assertThat(json.text("per")).isEqualTo("request");
        assertThat(out).contains("\"heldNanosPer\":1000000.0", "\"heldNanosPer\":600000.0");
        assertThat(json.objects("sites", site -> site.text("status"))).containsExactly("same");
        assertThat(json.has("failed")).isFalse();
    }

    @Test
    void diffAsJsonFailsAsWell() throws Exception {
        assertThat(run("diff", before, after, "--fail-above", "5%", "--json")).isEqualTo(1);
        assertThat(JsonFields.parse(out).flag("failed")).isTrue();
    }

    @Test
    void checkFailsAboveItsLimits() throws Exception {
        assertThat(run("check", before, "--max-share", "0.25%")).isZero();
        assertThat(out)
                .isEqualTo(
                        "passed: 0.25 % of the scheduler's time lost, 100.0 ms by 3 pins in 10.00"
                                + " s\n");
        assertThat(
                        run(
                                "check",
                                before,
                                "--max-share",
                                "0.2%",
                                "--no-site",
                                "org",
                                "--no-site",
                                "com.acme"))
                .isEqualTo(1);
        assertThat(out.lines())
                .hasSize(3)
                .element(1)
                .asString()
                .startsWith("failed: --no-site com.acme: 3 pins");
        assertThat(run("check", before, "--max-longest", "1ms", "--json")).isEqualTo(1);
        JsonFields json = JsonFields.parse(out);
        assertThat(json.flag("passed")).isFalse();
        assertThat(json.objects("violations", violation -> violation.text("site")))
                .containsExactly("com.acme.Cart.add:12");
    }

    @Test
    void gatesWriteJunitXmlWhetherTheyPassOrFail() throws Exception {
        Path xml = folder.resolve("gate.xml");
        assertThat(run("check", before, "--max-share", "100%", "--junit", xml.toString())).isZero();
        assertThat(xml).content().contains("tests=\"1\" failures=\"0\"");
        assertThat(run("diff", before, after, "--fail-above", "1ms", "--junit", xml.toString()))
                .isEqualTo(1);
        assertThat(xml)
                .content()
                .contains("tests=\"2\" failures=\"2\"", "\tat com.acme.Outer.call0(");
        assertThat(out).contains("failed: it grew by more than 1ms");
        assertThat(err).isEmpty();
    }

    @Test
    void annotationsLeaveStdoutToTheAnswer() {
        assertThat(run("check", before, "--no-site", "com.acme", "--json")).isEqualTo(1);
        String answer = out;
        assertThat(run("check", before, "--no-site", "com.acme", "--json", "--github"))
                .isEqualTo(1);
        assertThat(out).isEqualTo(answer);
        assertThat(err.lines())
                .singleElement()
                .asString()
                .startsWith("::error file=com/acme/Any.java,line=12,title=");
    }

    @Test
    void aSensorThatIsDownIsAWarningOnGithub() throws Exception {
        String blind =
                write(
                        "blind.json",
                        JsonReport.render(OLD, JsonReport.Detail.ALL)
                                .replace("\"park\":\"up\"", "\"park\":\"was not noticed\""));
        assertThat(run("check", blind, "--max-share", "1%", "--github")).isZero();
        assertThat(err)
                .startsWith(
                        "::warning title=vt-agent%3A sensor park::pins may be missing,"
                                + " because the sensor ");
    }

    @Test
    void whatASensorDidNotSeeIsReported() throws Exception {
        String blind =
                write(
                        "blind.json",
                        JsonReport.render(OLD, JsonReport.Detail.ALL)
                                .replace("\"park\":\"up\"", "\"park\":\"was not noticed\""));
        assertThat(run("check", blind, "--max-share", "1%")).isZero();
        assertThat(err)
                .isEqualTo(
                        "vt-agent: pins may be missing, because the sensor \"park\" is down: was"
                                + " not noticed\n");
    }

    @Test
    void topOfAFileIsOneBlock() throws Exception {
        assertThat(run("top", before, "-n", "5")).isZero();
        assertThat(out.lines().filter(line -> line.startsWith("vt-agent "))).hasSize(1);
        assertThat(out).contains("com.acme.Cart.add:12");
        assertThat(run("top", before, "--json")).isZero();
        assertThat(JsonFields.parse(out).number("uptimeNanos")).isEqualTo(10 * SECOND);
        assertThat(JsonFields.parse(out).has("interval")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bottom | unknown command "bottom", expected one of top, threads, report, diff, check
                    --bottom | Unknown option: '--bottom'
                    top | Missing required parameter: 'URL
                    top OLD NEW | Unmatched argument at index 2
                    top OLD -n x | Invalid value for option '-n'
                    top OLD -n -1 | -n is -1, expected a number above 0
                    top OLD -n 0 | -n is 0, expected a number above 0
                    top OLD --interval 10ms | --interval is "10ms", expected
                    top OLD --timeout 1 | --timeout is "1", expected
                    report MISSING | there is no file
                    report DIRECTORY | is a directory, expected a report as a JSON file
                    report OLD --json --html x | --json and --html were given, expected one of them
                    report OLD --html DIRECTORY | it is a directory
                    report OLD --html MISSING/page.html | its directory does not exist
                    report OLD --token a,b | --token is neither a token
                    diff OLD | Missing required parameter: 'NEW'
                    diff OLD MISSING | there is no file
                    diff OLD NEW --fail-above 5 | --fail-above is "5", expected
                    diff OLD NEW --html DIRECTORY | it is a directory
                    diff OLD NEW --html MISSING/page.html | its directory does not exist
                    diff OLD NEW --html OLD/page.html | cannot write
                    diff OLD NEW --per 0 | --per is "0", expected
                    diff OLD NEW --unit request | --unit has no effect without --per
                    threads OLD | is a file, expected the URL of an endpoint or a process id
                    threads :1 --top 0 | --top is 0, expected a number from 1 to 2500
                    threads :1 --top x | Invalid value for option '--top'
                    threads 2147483646 | there is no process 2147483646
                    threads | Missing required parameter: 'URL|PID'
                    check OLD | there is nothing to check
                    check OLD --max-share 1% --junit DIRECTORY | cannot write
                    check OLD --max-share 1% --source-root DIRECTORY | --source-root has no effect without --github
                    diff OLD NEW --github --source-root MISSING | expected a directory
                    check OLD --max-share 1 | --max-share is "1", expected
                    check 2147483646 --max-share 1% | there is no process 2147483646
                    """)
    void badInputIsOneSentenceAndTheCodeTwo(String given, String sentence) {
        String line =
                given.replace("OLD", before)
                        .replace("NEW", after)
                        .replace("MISSING", folder.resolve("missing").toString())
                        .replace("DIRECTORY", folder.toString());

        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err.lines())
                .singleElement()
                .asString()
                .startsWith("vt-agent: ")
                .contains(sentence);
    }
}
