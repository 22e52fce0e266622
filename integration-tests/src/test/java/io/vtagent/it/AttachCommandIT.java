package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AlreadyLoaded;
import io.vtagent.it.workload.SqlFunctions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code attach}, {@code set} and {@code detach}, as a user runs them. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AttachCommandIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    private CommandResult run(Object... arguments) {
        return CommandResult.of(jdk, arguments);
    }

    private ForkedJvm running(String... vmOptions) {
        return ForkedJvm.on(jdk)
                .vm("-XX:+EnableDynamicAgentLoading")
                .vm(vmOptions)
                .main(AlreadyLoaded.class)
                .awaitLine("running");
    }

    @Test
    void theAgentComesIsChangedAndGoes() throws IOException {
        Path report = folder.resolve("report.json");
        try (ForkedJvm jvm = running()) {
            assertThat(listed(jvm))
                    .contains(jdk.feature() + "", AlreadyLoaded.class.getName(), " - ");

            CommandResult attached = run("attach", jvm.pid(), "port=0,report=off").succeeded();
            Endpoint endpoint = jvm.endpoint();
            assertThat(attached.text())
                    .contains("is attached to process " + jvm.pid(), endpoint.base().toString());
            assertThat(listed(jvm)).contains(endpoint.base().toString());
            run("attach", jvm.pid()).refused("already", endpoint.base().toString());

            run("set", jvm.pid(), "port=0,token=secret").succeeded();
            assertThat(endpoint.isUp()).isFalse();
            run("report", jvm.pid()).refused("requires a token");
            run("set", jvm.pid(), "port=off").succeeded();
            run("report", jvm.pid()).refused("port=off");
            run("set", jvm.pid(), "report=" + report).succeeded();

            run("detach", jvm.pid()).succeeded();
            assertThat(Files.readString(report)).startsWith("{\"version\":2,");
            run("detach", jvm.pid()).refused("without vt-agent");
            run("set", jvm.pid(), "log=off").refused("without vt-agent");
            run("attach", jvm.pid(), "port=0,report=off").succeeded();
        }
    }

    @Test
    void aJvmWithoutOptionsIsAttachedTo() {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).main(AlreadyLoaded.class).awaitLine("running")) {
            run("attach", jvm.pid(), "port=0,report=off").succeeded();
        }
    }

    private String listed(ForkedJvm jvm) {
        return run("attach").succeeded().out().stream()
                .filter(line -> line.strip().startsWith(jvm.pid() + " "))
                .findFirst()
                .orElseThrow();
    }

    @Tag("long")
    @Test
    void whatCannotChangeChangesNothing() throws IOException {
        try (ForkedJvm jvm = running();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            run("attach", jvm.pid(), "port=0,report=off").succeeded();
            run("set", jvm.pid(), "max-sites=3")
                    .refused("max-sites", "relief", "nothing was changed");
            run("set", jvm.pid(), "relief=x").refused("relief", "nothing was changed");
            run("set", jvm.pid(), "log=debug,report=" + folder.resolve("no/such/folder.txt"))
                    .refused("cannot be written", "nothing was changed");
            run("set", jvm.pid(), "port=" + taken.getLocalPort())
                    .refused("cannot listen", "nothing was changed");
            run("report", jvm.pid()).succeeded();
        }
    }

    @Tag("long")
    @Test
    void simultaneousRequestsGetTheirOwnAnswers() {
        try (ForkedJvm jvm = running();
                ForkedJvm one =
                        ForkedJvm.on(jdk)
                                .java(
                                        CommandResult.commandLine(
                                                "attach", jvm.pid(), "port=0,report=off"));
                ForkedJvm other =
                        ForkedJvm.on(jdk)
                                .java(
                                        CommandResult.commandLine(
                                                "attach", jvm.pid(), "port=0,report=off"))) {
            assertThat(List.of(one.end(), other.end())).containsExactlyInAnyOrder(0, 2);
            for (int round = 0; round < 3; round++) {
                try (ForkedJvm good =
                                ForkedJvm.on(jdk)
                                        .java(
                                                CommandResult.commandLine(
                                                        "set",
                                                        jvm.pid(),
                                                        "relief=stuck,token=secret"));
                        ForkedJvm bad =
                                ForkedJvm.on(jdk)
                                        .java(
                                                CommandResult.commandLine(
                                                        "set", jvm.pid(), "relief=x"))) {
                    assertThat(good.end()).as("%s", good).isZero();
                    assertThat(good.stdout())
                            .containsExactly(
                                    "changed in process " + jvm.pid() + ": relief=stuck,token=...");
                    assertThat(bad.end()).as("%s", bad).isEqualTo(2);
                }
            }
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("secret"));
        }
    }

    @Test
    void whatTheJvmItselfDoesNotTakeIsASentenceToo() throws IOException {
        try (ForkedJvm jvm = running()) {
            Path equals = Files.copy(ForkedJvm.agentJar(), folder.resolve("a=b.jar"));
            run("attach", jvm.pid(), "--jar", equals).refused("first =", equals.toString());
            run("attach", jvm.pid(), "--jar", folder.resolve("no.jar"))
                    .refused("its user may read");
            CommandResult result =
                    run(
                            "attach",
                            jvm.pid(),
                            "port=0,report=off,include=" + "io.vtagent.it;".repeat(100));
            if (result.code() != 0) { // up to JDK 23
                result.refused("1024", "config=FILE");
                run("attach", jvm.pid(), "port=0,report=off").succeeded();
            }
            run("set", jvm.pid(), " ").refused("nothing to set");
        }
    }

    /** The JVM enters by the first jar that it was given, whichever comes later. */
    @Test
    void aJvmThatHasKeptTheWayIntoAnotherVersionReportsThat() {
        try (ForkedJvm jvm = running()) {
            Attaching.attach(jvm, "@7,0.0.1,port=0");
            jvm.awaitStderr(
                    line ->
                            line.contains("has classes of vt-agent")
                                    && line.endsWith("runs without the agent"));
            run("attach", jvm.pid(), "port=0,report=off").succeeded();
        }
    }

    @Test
    void whereThereIsNoFlightRecorderItsEventsAreNoChange() {
        try (ForkedJvm jvm =
                running("--limit-modules", "java.base,java.instrument,java.management")) {
            run("attach", jvm.pid(), "port=0,report=off").succeeded();
            run("set", jvm.pid(), "jfr-events=on").refused("jdk.jfr", "nothing was changed");
        }
    }

    @Tag("long")
    @Test
    void whatCannotBeAttachedToIsLeftAlone() throws IOException {
        run("attach", "2147483646").refused("there is no process");
        run("attach", "x").refused("x");
        try (ForkedJvm jvm = running();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            run("attach", jvm.pid(), "port=x").refused("port", "expected");
            run("attach", jvm.pid(), "port=" + taken.getLocalPort()).refused("cannot listen");
            assertThat(Jcmd.run(jvm, "Thread.print")).doesNotContain("\"vt-agent");
            run("attach", jvm.pid(), "port=0").succeeded();
        }
        try (ForkedJvm jvm = running("-XX:-EnableDynamicAgentLoading")) {
            run("attach", jvm.pid()).refused("EnableDynamicAgentLoading");
            assertThat(jvm.proceed().awaitDone().stderr()).isEmpty();
        }
        try (ForkedJvm jvm = running("-XX:+DisableAttachMechanism")) {
            run("attach", jvm.pid()).refused("DisableAttachMechanism");
            assertThat(jvm.proceed().awaitDone().stderr()).isEmpty();
            assertThat(jvm.stdout()).noneMatch(line -> line.contains("Full thread dump"));
        }
    }

    /** Such as one in a container that is frozen. */
    @Test
    void theListDoesNotWaitForAJvmThatIsStopped() throws Exception {
        try (ForkedJvm jvm = running()) {
            run("attach").succeeded(); // it listens from then on, and would be waited for
            signal(jvm, "-STOP");
            try {
                assertThat(listed(jvm)).contains("no answer");
            } finally {
                signal(jvm, "-CONT");
            }
            assertThat(listed(jvm)).doesNotContain("no answer");
        }
    }

    private static void signal(ForkedJvm jvm, String signal) throws Exception {
        Process kill =
                new ProcessBuilder("kill", signal, Long.toString(jvm.pid())).inheritIO().start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void aJvmThatIsStuckReportsWhyAndIsSetFree() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("-XX:+EnableDynamicAgentLoading", "--enable-native-access=ALL-UNNAMED")
                        .classPath(
                                ForkedJvm.locationOf(org.sqlite.JDBC.class),
                                ForkedJvm.locationOf(org.slf4j.Logger.class))
                        .main(SqlFunctions.class, 4)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("begun")
                        .proceed()) {
            run("attach", jvm.pid(), "port=0,report=off,starvation-after=500ms").succeeded();
            jvm.awaitStderr(line -> line.contains(" with work queued. "));
            assertThat(run("report", jvm.pid()).succeeded().text())
                    .contains("All 4 carriers are held");
            run("set", jvm.pid(), "relief=stuck").succeeded();
            jvm.awaitDone();
            jvm.awaitStderr(line -> line.contains("carriers are free again"));
        }
    }
}
