package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.it.workload.PretendedVersion;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM without virtual threads gets one line, and its application. */
final class OldJavaIT {
    private static final int EXIT_CODE = 7;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /**
     * The JVM of Maven, if it is old: the README asks for 17. Elsewhere the next test has to do.
     */
    @Test
    void theJvmThatRunsMaven(@TempDir Path folder) throws IOException {
        Path home =
                Path.of(System.getProperty("it.maven.java.home", System.getProperty("java.home")));
        int version = versionOf(home);
        if (version >= FIRST_WITH_VIRTUAL_THREADS) {
            return;
        }
        Path program = folder.resolve("Exiting.java");
        Files.writeString(
                program,
                "class Exiting { public static void main(String[] a) { System.exit("
                        + EXIT_CODE
                        + "); } }");
        try (ForkedJvm jvm = ForkedJvm.on(home).agent().main(program.toString())) {
            assertThat(jvm.end()).isEqualTo(EXIT_CODE);
            assertComplaint(jvm, Integer.toString(version));
        }
        try (ForkedJvm tool = ForkedJvm.on(home).java("-jar", ForkedJvm.agentJar(), "--help")) {
            assertThat(tool.end()).isEqualTo(2);
            assertThat(tool.stderr())
                    .singleElement(STRING)
                    .isEqualTo(
                            "vt-agent: this is Java "
                                    + version
                                    + ", the command line needs Java 21 or later");
        }
    }

    @Test
    void anOldJvmReportsThat() {
        for (String version : new String[] {"1.8", "17", "20"}) {
            try (ForkedJvm jvm =
                    ForkedJvm.on(Jdks.jdk21())
                            .main(
                                    PretendedVersion.class,
                                    ForkedJvm.agentJar(),
                                    version,
                                    EXIT_CODE)) {
                assertThat(jvm.end()).isEqualTo(EXIT_CODE);
                assertComplaint(jvm, version);
            }
        }
    }

    private static void assertComplaint(ForkedJvm jvm, String version) {
        assertThat(jvm.stderr())
                .singleElement(STRING)
                .startsWith("[vt-agent] ")
                .contains("Java " + version, "Java 21")
                .endsWith("the application runs without the agent");
    }

    private static int versionOf(Path home) throws IOException {
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        }
        String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Integer.parseInt(version.split("[.+-]", 2)[0]);
    }
}
