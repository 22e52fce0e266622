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

    @TempDir Path folder;

    /**
     * The JVM of Maven, if it is old: the README asks for 17. Elsewhere the next test has to do.
     */
    @Test
    void theJvmThatRunsMaven() throws IOException {
        Path home = ofMaven();
        int version = versionOf(home);
        if (version >= FIRST_WITH_VIRTUAL_THREADS) {
            return;
        }
        try (ForkedJvm jvm = ForkedJvm.on(home).agent().main(exiting().toString())) {
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
    void openTelemetrysAgentStartsInItWithoutThisOne() throws IOException {
        Path home = ofMaven();
        int version = versionOf(home);
        if (version >= FIRST_WITH_VIRTUAL_THREADS) {
            return;
        }
        try (ForkedJvm jvm =
                ForkedJvm.on(home)
                        .vm(
                                "-javaagent:" + OtelExtensionIT.openTelemetry(),
                                "-Dotel.javaagent.extensions=" + OtelExtensionIT.extension(),
                                "-Dotel.javaagent.enabled=true", // though a source is launched
                                "-Dotel.traces.exporter=console",
                                "-Dotel.metrics.exporter=none",
                                "-Dotel.logs.exporter=none")
                        .main(exiting().toString())) {
            assertThat(jvm.end()).isEqualTo(EXIT_CODE);
            assertThat(jvm.stderr())
                    .anyMatch(line -> line.contains("opentelemetry-javaagent - version: "))
                    .noneMatch(line -> line.contains("failed to start"))
                    .noneMatch(line -> line.contains("Error"));
            assertThat(jvm.stderr())
                    .filteredOn(line -> line.startsWith("[vt-agent] "))
                    .singleElement(STRING)
                    .isEqualTo(
                            "[vt-agent] this is Java "
                                    + version
                                    + ", virtual threads need Java 21 or later: the application"
                                    + " runs without the agent");
        }
    }

    private static Path ofMaven() {
        return Path.of(System.getProperty("it.maven.java.home", System.getProperty("java.home")));
    }

    /** Returns a program that any JDK since 11 compiles and runs. */
    private Path exiting() throws IOException {
        return Files.writeString(
                folder.resolve("Exiting.java"),
                "class Exiting { public static void main(String[] a) { System.exit("
                        + EXIT_CODE
                        + "); } }");
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
