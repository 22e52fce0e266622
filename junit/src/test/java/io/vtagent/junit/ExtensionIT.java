package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.junit.TestJvm.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The extension in JVMs of tests, with the oldest and the newest JUnit; two JVMs at a time. */
@Execution(ExecutionMode.CONCURRENT)
final class ExtensionIT {
    private static final String OLDEST = "oldest";
    private static final String NEWEST_5 = "newest-5";
    private static final String NEWEST = "newest";
    private static final String[] PARALLEL = {
        "junit.jupiter.execution.parallel.enabled=true",
        "junit.jupiter.execution.parallel.config.strategy=fixed",
        "junit.jupiter.execution.parallel.config.fixed.parallelism=4"
    };

    @ParameterizedTest
    @CsvSource({"21, " + OLDEST, "25, " + NEWEST_5, "25, " + NEWEST})
    void thoseThatAreNotAsTheyShouldFailAndNoOthers(int jdk, String junit) throws Exception {
        Outcome outcome = new TestJvm(jdk, junit).run("Basics");

        assertStatuses(outcome, test -> isToFail(test, jdk) ? "FAILED" : "SUCCESSFUL");
        assertThat(outcome.statuses()).hasSize(32);
        assertThat(outcome.messageOf("badPin()"))
                .contains("expected no pins, but there was 1 pin, ")
                .contains("   caller: io.vtagent.junit.fixture.Work.call:")
                .contains("   blocked in: java.util.concurrent.locks.LockSupport.park\n")
                .contains("   thread: worker #")
                .containsPattern("   advice: \\S+ .*\n")
                .containsPattern(
                        "      at"
                            + " io\\.vtagent\\.junit\\.fixture\\.Work\\.pin\\(Work\\.java:\\d+\\)\n")
                .containsPattern("      at java.base/jdk.internal.reflect.*  <== native frame\n");
        assertThat(outcome.messageOf("badInProgress()"))
                .contains(", 1 in progress\n")
                .contains("thread: unending #");
        assertThat(outcome.messageOf("badThreePins()"))
                .contains("expected at most 2 pins, but there were 3 pins, ");
        assertThat(outcome.messageOf("badPark()"))
                .contains("expected at least 1 pin, but there was none");
        assertThat(outcome.messageOf("badHeld()"))
                .contains("expected carriers to be held for 10.0 ms at most, but");
        assertThat(outcome.messageOf("badDuration()"))
                .contains("expected a number and ns, us, ms or s, such as 5ms");
        assertThat(outcome.messageOf("badBoth()"))
                .contains("has more than one of @ShouldNotPin, @ShouldPin");
        assertThat(outcome.messageOf("badAndFailed()"))
                .startsWith("org.opentest4j.AssertionFailedError: for another reason")
                .contains("Suppressed: org.opentest4j.AssertionFailedError: expected no pins");
        assertThat(outcome.output())
                .doesNotContain("[vt-agent]", "A Java agent has been loaded dynamically");
    }

    private static void assertStatuses(Outcome outcome, UnaryOperator<String> expected) {
        outcome.statuses()
                .forEach(
                        (test, status) ->
                                assertThat(status)
                                        .as("%s: %s", test, outcome.messages().get(test))
                                        .isEqualTo(expected.apply(test)));
    }

    private static boolean isToFail(String test, int jdk) {
        return test.equals("badWhereMonitorsPin()") ? jdk < 24 : test.contains("bad");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void ofParallelTestsThatOneFailsThatStartedTheThread(int jdk) throws Exception {
        Outcome outcome = new TestJvm(jdk, NEWEST).run(with("Parallel"));

        assertThat(outcome.statuses())
                .containsEntry("badStartsThreads()", "FAILED")
                .containsEntry("goodStartsThreads()", "SUCCESSFUL")
                .containsEntry("goodUnwatched()", "SUCCESSFUL");
        assertThat(outcome.messageOf("badStartsThreads()")).doesNotContain("at the same time ran");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void aPinInProgressIsNotThatOfAParallelTest(int jdk) throws Exception {
        Outcome outcome = new TestJvm(jdk, NEWEST_5).run(with("OverlappingPins"));

        assertThat(outcome.statuses())
                .containsEntry("badLeavesOneInProgress()", "FAILED")
                .containsEntry("goodMeanwhile()", "SUCCESSFUL");
        assertThat(outcome.messageOf("badLeavesOneInProgress()"))
                .contains("1 in progress")
                .doesNotContain("at the same time ran");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void whereThatIsUnknownTheMessageNamesTheTestsThatRanAtTheSameTime(int jdk) throws Exception {
        Outcome outcome = new TestJvm(jdk, OLDEST).run(with("SharedServer"));

        assertThat(outcome.messageOf("badAsksTheServer()"))
                .contains("at the same time ran SharedServer.badRunsAtTheSameTime()");
        assertThat(outcome.messageOf("badRunsAtTheSameTime()"))
                .contains("at the same time ran SharedServer.badAsksTheServer()");
    }

    @ParameterizedTest
    @CsvSource({"21, " + NEWEST, "25, " + OLDEST, "25, " + NEWEST})
    void theAnnotationsHoldWithOtherThingsOfJUnits(int jdk, String junit) throws Exception {
        Outcome outcome = new TestJvm(jdk, junit).run("Combinations");

        assertStatuses(
                outcome,
                test ->
                        test.startsWith("bad")
                                ? "FAILED"
                                : test.startsWith("aborted") ? "ABORTED" : "SUCCESSFUL");
        assertThat(outcome.statuses()).hasSize(11);
        assertThat(outcome.messageOf("badIgnoringAll()")).contains("ignore has an empty prefix");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void toAttachIsNotOfTheTimeThatATestHas(int jdk) throws Exception {
        assertThat(new TestJvm(jdk, NEWEST).run("FirstInTime").messages())
                .containsEntry("hasTheTimeForItself()", "");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void aSampledPinBelongsToTheTestThatStartedItsThread(int jdk) throws Exception {
        Outcome outcome =
                new TestJvm(jdk, NEWEST)
                        .with("--enable-native-access=ALL-UNNAMED")
                        .run("InNativeCode");

        assertThat(outcome.statuses()).hasSize(10);
        assertThat(outcome.messages().values())
                .allSatisfy(message -> assertThat(message).contains("InNativeCode.sleep:"));
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void aPinOfAClassThatIsSetUpMeanwhileMayBelongToAnyTestAndTheMessageExplainsThat(int jdk)
            throws Exception {
        assertThat(
                        new TestJvm(jdk, NEWEST)
                                .run(with("WhileOthersSetUp"))
                                .messageOf("badMeanwhile()"))
                .contains("expected no pins", "at the same time ran SetUp");
    }

    @Test
    void aTestThatFailsReportsWhyAlsoIfTheAgentHasGone() throws Exception {
        assertThat(new TestJvm(21, NEWEST_5).run("AgentGone").messageOf("fails()"))
                .startsWith("org.opentest4j.AssertionFailedError: for a reason of its own")
                .contains("Suppressed: io.vtagent.junit.NoAgentException: ");
    }

    private static String[] with(String fixture) {
        String[] arguments = java.util.Arrays.copyOf(PARALLEL, PARALLEL.length + 1);
        arguments[PARALLEL.length] = fixture;
        return arguments;
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void whatRunsForTheFirstTimeIsNotTheTestsFault(int jdk) throws Exception {
        Outcome outcome = new TestJvm(jdk, NEWEST).run("FirstRuns");

        assertThat(outcome.messages().values())
                .allSatisfy(message -> assertThat(message).isEmpty());
        assertThat(outcome.statuses()).hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void withTheExtensionAsAJavaAgentNothingIsAttached(int jdk) throws Exception {
        Outcome outcome =
                new TestJvm(jdk, NEWEST)
                        .with("-javaagent:" + TestJvm.jar())
                        .with("-XX:-EnableDynamicAgentLoading")
                        .run("Basics");

        assertThat(outcome.statuses())
                .containsEntry("badPin()", "FAILED")
                .containsEntry("goodPark()", "SUCCESSFUL");
        assertThat(outcome.output()).doesNotContain("[vt-agent]", "WARNING");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void anAgentThatIsThereIsTheOneThatIsUsed(int jdk) throws Exception {
        Path agent = Path.of(System.getProperty("it.root"), "agent", "target", "vt-agent.jar");
        Outcome outcome =
                new TestJvm(jdk, NEWEST)
                        .with("-javaagent:" + agent + "=port=off,report=off")
                        .with("-XX:-EnableDynamicAgentLoading")
                        .run("Basics");

        assertThat(outcome.statuses())
                .containsEntry("badPin()", "FAILED")
                .containsEntry("goodPark()", "SUCCESSFUL");
        assertThat(outcome.output())
                .containsOnlyOnce("[vt-agent]")
                .doesNotContain("runs in this JVM already");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25})
    void whereAttachingIsDisabledTheMessageExplainsWhatToDo(int jdk) throws Exception {
        Outcome outcome =
                new TestJvm(jdk, NEWEST).with("-XX:-EnableDynamicAgentLoading").run("Basics");

        assertThat(outcome.messageOf("goodPark()"))
                .contains(
                        "agents must not be attached to this JVM, which runs with"
                                + " -XX:-EnableDynamicAgentLoading")
                .contains("-javaagent:vt-agent-junit.jar");
    }

    @ParameterizedTest
    @CsvSource({
        "21, java.base;java.management;jdk.attach, java.instrument",
        "21, java.base;java.management;java.instrument, jdk.attach",
        "25, java.base;java.management;java.instrument, jdk.attach",
        "25, java.base;java.instrument, java.management"
    })
    void whereAModuleIsMissingTheMessageNamesIt(int jdk, String modules, String missing)
            throws Exception {
        Outcome outcome =
                new TestJvm(jdk, NEWEST)
                        .with(
                                "--limit-modules="
                                        + modules.replace(';', ',')
                                        + ",jdk.unsupported,java.logging,java.xml,jdk.httpserver,java.net.http")
                        .run("SharedServer");

        assertThat(outcome.messageOf("badAsksTheServer()"))
                .contains(
                        "vt-agent cannot watch these tests: this JVM runs without the module "
                                + missing
                                + ": expected a JDK, or");
    }

    @Test
    void whatTheFileOfTheParameterNamesIsAccepted(@TempDir Path folder) throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("known"), "# as of now\nio.vtagent.junit.fixture.Work.\n");

        assertThat(
                        new TestJvm(25, NEWEST)
                                .run("vtagent.ignore.file=" + file, "AcceptedByFile")
                                .messages())
                .containsEntry("pins()", "");
        assertThat(
                        new TestJvm(21, OLDEST)
                                .run(
                                        "vtagent.ignore.file=" + folder.resolve("none"),
                                        "AcceptedByFile")
                                .messageOf("pins()"))
                .contains(
                        "cannot read what is accepted, ",
                        "the file that vtagent.ignore.file names",
                        "none");
    }
}
