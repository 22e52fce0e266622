package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.it.workload.Deadlock;
import io.vtagent.it.workload.Pinned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code java -jar vt-agent.jar} beside a JVM that the agent measures. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class CommandLineIT {
    private static final int GATE_FAILED = 1;
    private static final int BAD_INPUT = 2;
    private static final String TOKEN = "a-secret-of-this-test";

    /** Pins on every JDK. */
    private static final String SITE = Pinned.class.getName() + "$Initializer.<clinit>";

    /** As much of it as there is room for on a terminal. */
    private static final String SHORT_SITE = "Pinned$Initializer.<clinit>";

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    private CommandResult run(Object... arguments) {
        return CommandResult.of(jdk, arguments);
    }

    private static CommandResult run(ForkedJvm.Launch launch, Object... arguments) {
        return CommandResult.of(launch, arguments);
    }

    private static Object[] commandLine(Object... arguments) {
        return CommandResult.commandLine(arguments);
    }

    private ForkedJvm pinned(String options) {
        return ForkedJvm.on(jdk)
                .carriers(4)
                .agent("report=off" + options)
                .main(Pinned.class, 4, 50)
                .awaitLine("warm")
                .proceed()
                .awaitDone();
    }

    @Test
    void anEndpointAProcessAndAFileGiveTheSameReport() throws IOException {
        Path atExit = folder.resolve("exit.json");
        Path asked = folder.resolve("asked.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .agent("port=0,report=" + atExit)
                        .main(Pinned.class, 4, 50)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            String url = jvm.endpoint().base().toString();
            assertThat(url).startsWith("http://127.0.0.1:");
            for (Object source :
                    List.of(
                            url,
                            url + "/metrics",
                            url.substring(url.lastIndexOf(':')),
                            jvm.pid())) {
                CommandResult result = run("report", source);
                assertThat(result.err()).isEmpty();
                assertThat(result.text()).contains(SITE, "JDK " + jdk.feature());
                assertThat(result.code()).isZero();
            }
            CommandResult json = run("report", jvm.pid(), "--json");
            Files.writeString(asked, json.text());
            jvm.proceed().end();
        }
        for (Path file : List.of(asked, atExit)) {
            assertThat(run("report", file).text()).contains(SITE, "JDK " + jdk.feature());
        }
        assertThat(Json.parse(Files.readString(asked)).get("count").number())
                .isPositive()
                .isLessThanOrEqualTo(Json.parse(Files.readString(atExit)).get("count").number());
    }

    @Test
    void aReportCanBeWrittenAsAPageThatNeedsNothingElse() throws IOException {
        try (ForkedJvm jvm = pinned(",port=0")) {
            Path page = folder.resolve("page.html");
            CommandResult result = run("report", jvm.pid(), "--html", page);

            assertThat(result.err()).isEmpty();
            assertThat(page)
                    .content()
                    .startsWith("<!")
                    .contains(Pinned.class.getName() + "$Initializer.");
        }
    }

    @Test
    void whereThereIsNoTerminalTopPrintsSoManyBlocks() {
        try (ForkedJvm jvm = pinned(",port=0")) {
            CommandResult text = run("top", jvm.pid(), "-n", 2, "--interval", "200ms");

            assertThat(text.err()).isEmpty();
            assertThat(text.out().stream().filter(line -> line.startsWith("vt-agent ")))
                    .hasSize(2)
                    .allMatch(
                            line ->
                                    line.contains(
                                            "process " + jvm.pid() + "  JDK " + jdk.feature()));
            assertThat(text.out().stream().filter(line -> line.contains(SITE))).hasSize(2);
            assertThat(text.text()).doesNotContain("\u001b");

            CommandResult json =
                    run("top", jvm.endpoint().base(), "-n", 2, "--json", "--interval", "200ms");
            assertThat(json.out()).hasSize(2);
            Json first = Json.parse(json.out().get(0));
            Json second = Json.parse(json.out().get(1));
            double between = second.get("uptimeNanos").number() - first.get("uptimeNanos").number();
            assertThat(second.get("interval").get("nanos").number())
                    .isEqualTo(between)
                    .isPositive();
        }
    }

    @Test
    void aTerminalShowsASiteWithItsStackAndIsGivenBack() {
        try (ForkedJvm jvm = pinned(",port=0");
                ForkedJvm top = onTerminal("top", jvm.pid())) {
            top.awaitStdout(line -> line.contains(SHORT_SITE));
            top.send("/init"); // which Enter keeps
            top.awaitStdout(line -> line.contains("filter: init  s sort"));
            top.send(""); // which opens
            top.awaitStdout(line -> line.contains("=> ") && line.contains(SHORT_SITE));
            top.send("q");

            assertThat(top.end()).isZero();
            assertThat(String.join("\n", top.stdout()))
                    .contains("\u001b[?1049h\u001b[?25l")
                    .endsWith("\u001b[?25h\u001b[?1049l");
        }
    }

    @Test
    void ctrlCGivesTheTerminalBackToo() {
        try (ForkedJvm jvm = pinned(",port=0");
                ForkedJvm top = onTerminal("top", jvm.pid())) {
            top.awaitStdout(line -> line.contains(SHORT_SITE));
            top.send("\u0003");

            assertThat(top.end()).isEqualTo(130);
            assertThat(String.join("\n", top.stdout()))
                    .contains("\u001b[?1049h\u001b[?25l")
                    .endsWith("\u001b[?25h\u001b[?1049l");
        }
    }

    /** With the pseudo-terminal of {@code script}, which hands on what it reads. */
    private ForkedJvm onTerminal(Object... arguments) {
        return ForkedJvm.on(jdk)
                .env("TERM", "xterm")
                .env("SHELL", "/bin/bash")
                .through(
                        "bash",
                        "-c",
                        "exec script -qefc \"$(printf '%q ' \"$@\")\" /dev/null",
                        "bash")
                .java(commandLine(arguments));
    }

    @Test
    void topEndsWithTheJvmThatItWatches() {
        try (ForkedJvm jvm = pinned(",port=0");
                ForkedJvm top =
                        ForkedJvm.on(jdk)
                                .java(commandLine("top", jvm.pid(), "--interval", "100ms"))) {
            top.awaitStdout(line -> line.contains(SITE));
            int unused = jvm.terminate();

            assertThat(top.end()).isEqualTo(BAD_INPUT);
            assertThat(top.stderr())
                    .singleElement(STRING)
                    .startsWith("vt-agent: ")
                    .contains("http://127.0.0.1:");
        }
    }

    @Test
    void starvationIsReported() {
        // where monitors pin; the command line runs on each JDK
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(2)
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=2")
                        .agent("port=0,report=off,starvation-after=1s")
                        .main(Deadlock.class, 2)
                        .awaitLine("warm")
                        .proceed()) {
            jvm.awaitStderr(line -> line.contains("every carrier has been held"));
            CommandResult result = run("top", jvm.pid(), "--once", "--interval", "100ms");

            assertThat(result.out())
                    .contains("STUCK")
                    .anyMatch(line -> line.contains("first-in-queue"));
            assertThat(result.code()).isZero();
        }
    }

    @Test
    void aTokenIsAskedForAndTaken() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        try (ForkedJvm jvm = pinned(",port=0,token=" + TOKEN)) {
            CommandResult without = run("report", jvm.pid());
            assertThat(without.code()).isEqualTo(BAD_INPUT);
            assertThat(without.err())
                    .singleElement(STRING)
                    .contains("requires a token", "--token", "VTAGENT_TOKEN");
            CommandResult wrong = run("report", jvm.pid(), "--token", "wrong");
            assertThat(wrong.code()).isEqualTo(BAD_INPUT);
            assertThat(wrong.err()).singleElement(STRING).contains("rejects this token");

            assertThat(run("report", jvm.pid(), "--token", TOKEN).text()).contains(SITE);
            assertThat(run("report", jvm.pid(), "--token", file).text()).contains(SITE);
            assertThat(
                            run(ForkedJvm.on(jdk).env("VTAGENT_TOKEN", TOKEN), "report", jvm.pid())
                                    .text())
                    .contains(SITE);
        }
    }

    @Test
    void gatesFailWithAnExitCodeOfTheirOwn() throws IOException {
        Path before = folder.resolve("before.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .agent("port=0,report=" + before)
                        .main(Pinned.class, 1, 1)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            jvm.proceed().end();
        }
        try (ForkedJvm jvm = pinned(",port=0")) {
            // one task each: the pins of 50 ms are more than those of 1 ms by far
            CommandResult grew = run("diff", before, jvm.pid(), "--per", 1, "--fail-above", "10ms");
            assertThat(grew.code()).as(grew.text()).isEqualTo(GATE_FAILED);
            assertThat(grew.text()).contains(SITE);
            assertThat(run("diff", jvm.pid(), before, "--per", 1, "--fail-above", "0%").code())
                    .isZero();

            CommandResult forbidden =
                    run("check", jvm.pid(), "--no-site", Pinned.class.getPackageName());
            assertThat(forbidden.code()).isEqualTo(GATE_FAILED);
            assertThat(forbidden.text())
                    .contains("failed: --no-site " + Pinned.class.getPackageName(), SITE);
            assertThat(
                            run("check", jvm.pid(), "--no-site", "com.acme", "--max-share", "100%")
                                    .code())
                    .isZero();
        }
    }

    @Test
    void aGateWritesWhatBuildServersRead() throws IOException {
        Path xml = folder.resolve("gate.xml");
        try (ForkedJvm jvm = pinned(",port=0")) {
            CommandResult failed =
                    run(
                            "check",
                            jvm.endpoint().base(),
                            "--no-site",
                            Pinned.class.getName(),
                            "--junit",
                            xml,
                            "--github");

            assertThat(failed.code()).isEqualTo(GATE_FAILED);
            String site = SITE.replace("<", "&lt;").replace(">", "&gt;");
            assertThat(xml).content().contains("failures=\"1\"", "\tat " + site + "(Pinned.java:");
            assertThat(failed.err())
                    .anyMatch(
                            line ->
                                    line.matches(
                                            "::error file=io/vtagent/it/workload/Pinned\\.java,"
                                                    + "line=\\d+,title=vt-agent%3A --no-site .*"));
            assertThat(failed.text()).doesNotContain("::error");
        }
    }

    @Test
    void aJvmWithoutTheAgentOrWithoutItsEndpointIsReported() {
        CommandResult noAgent = run("report", ProcessHandle.current().pid());
        assertThat(noAgent.code()).isEqualTo(BAD_INPUT);
        assertThat(noAgent.err()).singleElement(STRING).contains("is a JVM without vt-agent");
        try (ForkedJvm jvm = pinned(",port=off")) {
            CommandResult noEndpoint = run("report", jvm.pid());
            assertThat(noEndpoint.code()).isEqualTo(BAD_INPUT);
            assertThat(noEndpoint.err()).singleElement(STRING).contains("port=off");
        }
    }

    @Test
    void aRuntimeThatCannotAttachReportsItAndReadsTheRest() throws IOException {
        try (ForkedJvm jvm = pinned(",port=0")) {
            ForkedJvm.Launch small = ForkedJvm.on(jdk).vm("--limit-modules=java.instrument");
            CommandResult byPid = run(small, "report", jvm.pid());
            assertThat(byPid.code()).isEqualTo(BAD_INPUT);
            assertThat(byPid.err()).singleElement(STRING).contains("jdk.attach");
            assertThat(run(small, "report", jvm.endpoint().base()).text()).contains(SITE);
        }
    }

    @Test
    void badInputIsOneSentence() throws IOException {
        Path notOurs = Files.writeString(folder.resolve("not-ours.json"), "{\"name\":1}");
        Path newer =
                Files.writeString(
                        folder.resolve("newer.json"),
                        "{\"version\":99,\"uptimeNanos\":1,\"sensors\":{}}");
        for (List<Object> line :
                List.<List<Object>>of(
                        List.of("report", folder.resolve("missing.json")),
                        List.of("report", notOurs),
                        List.of("report", newer),
                        List.of("report", "2147483646"),
                        List.of("report", "http://"),
                        List.of("check", notOurs),
                        List.of("nonsense"))) {
            CommandResult result = run(line.toArray());
            assertThat(result.code()).as(line.toString()).isEqualTo(BAD_INPUT);
            assertThat(result.err())
                    .as(line.toString())
                    .singleElement(STRING)
                    .startsWith("vt-agent: ");
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void helpAndVersionAreReported() {
        assertThat(run("--help").out())
                .anyMatch(line -> line.startsWith("Usage: java -jar vt-agent.jar"));
        assertThat(run("diff", "--help").text()).contains("--fail-above");
        assertThat(run("--version").out())
                .anyMatch(line -> line.matches("vt-agent \\d.*"))
                .anyMatch(line -> line.startsWith("on JDK " + jdk.feature()));
    }
}
