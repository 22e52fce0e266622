package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The demo's own tests of what pins, which use vt-agent-junit as any project does, on each JDK. */
final class DemoTestsIT {
    private static final Path ROOT = Path.of(System.getProperty("it.root", ".."));
    private static final Path LIBRARIES = Path.of(System.getProperty("it.agents", "target/agents"));

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatPinsIsReportedAndWhatIsFixedDoesNotPin(Jdk jdk)
            throws IOException, InterruptedException {
        Process tests =
                new ProcessBuilder(
                                jdk.home().resolve("bin").resolve("java").toString(),
                                "-XX:+EnableDynamicAgentLoading",
                                "-cp",
                                classPath(),
                                "org.junit.platform.console.ConsoleLauncher",
                                "execute",
                                "--disable-banner",
                                "--disable-ansi-colors",
                                "-c",
                                "io.vtagent.demo.PinningCasesTest")
                        .redirectErrorStream(true)
                        .start();
        String output = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("\\[ +11 tests successful");
    }

    private static String classPath() {
        Path demo = ROOT.resolve("demo-app").resolve("target");
        return String.join(
                File.pathSeparator,
                List.of(
                        demo.resolve("test-classes").toString(),
                        demo.resolve("classes").toString(),
                        demo.resolve("lib").resolve("*").toString(),
                        ROOT.resolve("junit/target/vt-agent-junit.jar").toString(),
                        LIBRARIES.resolve("byte-buddy-agent.jar").toString(),
                        LIBRARIES.resolve("assertj.jar").toString(),
                        LIBRARIES.resolve("junit-console.jar").toString()));
    }
}
