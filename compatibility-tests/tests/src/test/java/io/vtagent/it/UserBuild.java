package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A project of {@code compatibility-tests/junit}, built by Maven with the extension as this build
 * has made it. Its local repository is one of its own, so that no other build finds the extension
 * there; what the usual one has already is taken from there.
 */
final class UserBuild {
    private static final Path ROOT =
            Path.of(System.getProperty("it.root", "../..")).toAbsolutePath().normalize();
    private static final Path TARGET = Artifacts.jar("pins").resolve("../..").normalize();
    private static final Path REPOSITORY = TARGET.resolve("repository");
    private static final Path SETTINGS = TARGET.resolve("settings.xml");
    private static final String VERSION = System.getProperty("it.version", "");
    private static final Pattern TEST =
            Pattern.compile(
                    "<testcase name=\"([^\"]+)\" classname=\"[^\"]*?([^\".]+)\"[^>]*?(/?)>");
    private static final int LIMIT_MINUTES = 10;

    private final Path folder;

    /**
     * A test that has run.
     *
     * @param name its class and method, without package and parameters
     * @param report its part of Surefire's report
     */
    record Ran(String name, String report) {
        boolean hasFailed() {
            return report.contains("<failure") || report.contains("<error");
        }
    }

    /** Tests on {@code jdk} the project that {@code compatibility-tests/junit} has by this name. */
    UserBuild(String project, Jdk jdk, Path folder, String... options)
            throws IOException, InterruptedException {
        this.folder = folder;
        copy(ROOT.resolve("compatibility-tests/junit").resolve(project));
        install("vt-agent-parent", "pom", ROOT.resolve("pom.xml"));
        install("vt-agent-junit", "pom", ROOT.resolve("junit/pom.xml"));
        install("vt-agent-junit", "jar", ROOT.resolve("junit/target/vt-agent-junit.jar"));
        Files.writeString(SETTINGS, settings());
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("it.maven", ""))
                                        .resolve("bin")
                                        .resolve("mvn")
                                        .toString(),
                                "-B",
                                "-ntp",
                                "-s",
                                SETTINGS.toString(),
                                "-Dmaven.repo.local=" + REPOSITORY,
                                "-Dmaven.test.failure.ignore=true",
                                "-Dvt-agent.version=" + VERSION,
                                "-Djvm=" + jdk.home().resolve("bin").resolve("java")));
        command.addAll(List.of(options));
        command.add("verify");
        run(command);
    }

    private void copy(Path project) throws IOException {
        try (Stream<Path> files = Files.walk(project)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = folder.resolve(project.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    private static void install(String artifact, String type, Path file) throws IOException {
        Path to = REPOSITORY.resolve("io/vtagent").resolve(artifact).resolve(VERSION);
        Files.createDirectories(to);
        Files.copy(
                file,
                to.resolve(artifact + "-" + VERSION + "." + type),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static String settings() {
        String seen =
                """
                <id>seen</id>
                <url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><enabled>false</enabled></snapshots>
                """
                        .formatted(Path.of(System.getProperty("it.repository", "")).toUri());
        return """
        <settings>
          <profiles>
            <profile>
              <id>seen</id>
              <repositories><repository>%s</repository></repositories>
              <pluginRepositories><pluginRepository>%s</pluginRepository></pluginRepositories>
            </profile>
          </profiles>
          <activeProfiles><activeProfile>seen</activeProfile></activeProfiles>
        </settings>
        """
                .formatted(seen, seen);
    }

    /** Returns what Maven printed, and the tests. */
    String output() throws IOException {
        return Files.readString(folder.resolve("maven.txt"));
    }

    /** The compiler is of JDK 25; what JDK 21 there is may be a runtime. */
    private void run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("maven.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", Jdks.jdk25().home().toString());
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
                    .as("ends: %s", command)
                    .isTrue();
        } finally {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        }
        assertThat(maven.exitValue()).as(output()).isZero();
    }

    /** The tests by their names, from the reports of {@code surefire} or {@code failsafe}. */
    Map<String, Ran> tests(String plugin) throws IOException {
        Map<String, Ran> tests = new TreeMap<>();
        try (Stream<Path> reports =
                Files.list(folder.resolve("target").resolve(plugin + "-reports"))) {
            reports.filter(report -> report.getFileName().toString().startsWith("TEST-"))
                    .flatMap(UserBuild::read)
                    .forEach(ran -> tests.put(ran.name(), ran));
        }
        return tests;
    }

    private static Stream<Ran> read(Path report) {
        try {
            List<Ran> tests = new ArrayList<>();
            String text = Files.readString(report);
            Matcher matcher = TEST.matcher(text);
            while (matcher.find()) {
                int end =
                        matcher.group(3).isEmpty()
                                ? text.indexOf("</testcase>", matcher.end())
                                : matcher.end();
                String name = matcher.group(2) + "." + matcher.group(1).replaceFirst("\\(.*", "");
                tests.add(new Ran(name, text.substring(matcher.end(), end)));
            }
            return tests.stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
