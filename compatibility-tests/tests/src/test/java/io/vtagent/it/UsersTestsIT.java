package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.UserBuild.Ran;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests with vt-agent-junit in typical projects: the reports of Surefire and Failsafe contain the
 * expected result of each.
 */
final class UsersTestsIT {
    private static final Pattern JVM = Pattern.compile("jvm=(\\d+)");

    @TempDir private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({"21, true, 5.10.5", "21, false, 6.1.3", "25, true, 6.1.3", "25, false, 5.14.1"})
    void ofParallelTestsInTwoJvmsThoseFailThatPin(int jdk, boolean reuse, String junit)
            throws Exception {
        UserBuild build =
                new UserBuild(
                        "maven",
                        on(jdk),
                        folder,
                        "-DforkCount=2",
                        "-DreuseForks=" + reuse,
                        "-Djunit.version=" + junit);

        Map<String, Ran> tests = build.tests("surefire");
        assertThat(tests).hasSize(8);
        assertThat(failed(tests))
                .containsExactly("FourTest.bad", "OneTest.bad", "ThreeTest.bad", "TwoTest.bad");
        assertThat(tests.values())
                .filteredOn(Ran::hasFailed)
                .allSatisfy(UsersTestsIT::reportsItsPin);

        Map<String, Ran> integrationTests = build.tests("failsafe");
        assertThat(integrationTests).hasSize(2);
        assertThat(failed(integrationTests)).containsExactly("OneIT.bad");
        assertThat(integrationTests.values())
                .filteredOn(Ran::hasFailed)
                .allSatisfy(UsersTestsIT::reportsItsPin);
        assertThat(jvmsOf(build)).hasSizeBetween(reuse ? 2 : 5, reuse ? 3 : 5);
    }

    private static void reportsItsPin(Ran test) {
        assertThat(test.report())
                .contains("expected no pins, but there was 1 pin, ")
                .contains("caller: com.example.articles.BothTests.pin:")
                .contains("at com.example.articles.BothTests.park(BothTests.java:")
                .doesNotContain("at the same time ran");
    }

    /** Returns the JVMs of Surefire and that of Failsafe. */
    private static Set<String> jvmsOf(UserBuild build) throws IOException {
        return JVM.matcher(build.output())
                .results()
                .map(jvm -> jvm.group(1))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({"3.5.8, 21", "3.5.8, 25", "4.0.1, 21", "4.0.1, 25"})
    void whatTheThreadsOfSpringBootsServerPinBelongsToTheTest(String version, int jdk)
            throws Exception {
        UserBuild build =
                new UserBuild("spring-boot", on(jdk), folder, "-Dspring-boot.version=" + version);

        Map<String, Ran> tests = build.tests("surefire");
        assertThat(tests).hasSize(4);
        if (on(jdk).monitorsPin()) {
            assertThat(failed(tests)).containsExactly("ArticlesTest.failsWhereMonitorsPin");
            assertThat(report(tests, "ArticlesTest.failsWhereMonitorsPin"))
                    .contains("expected no pins, but there was 1 pin, ")
                    .contains("1. com.example.articles.ArticleController.pinned:")
                    .contains("thread: tomcat-handler-");
        } else {
            assertThat(failed(tests)).containsExactly("ArticlesTest.failsWhereMonitorsDoNotPin");
            assertThat(report(tests, "ArticlesTest.failsWhereMonitorsDoNotPin"))
                    .contains("expected at least 1 pin, but there was none");
        }
    }

    private static String report(Map<String, Ran> tests, String name) {
        Ran test = tests.get(name);
        return test == null ? "" : test.report();
    }

    private static Stream<String> failed(Map<String, Ran> tests) {
        return tests.values().stream().filter(Ran::hasFailed).map(Ran::name);
    }

    private static Jdk on(int jdk) {
        return jdk == 21 ? Jdks.jdk21() : Jdks.jdk25();
    }
}
