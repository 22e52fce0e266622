package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.it.workload.Exiting;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that write an AOT cache or a class-data archive, and runs that use one. JDK 25 aborts at the
 * end of a training run in which an agent has retransformed {@code java.lang.Object}.
 */
final class TrainingIT {
    private static final int EXIT_CODE = 7;

    /** The module that every agent needs. */
    private static final String MODULE = "--add-modules=java.instrument";

    /** The beginning of a line of the report at the end, which comes only from the agent. */
    private static final String OF_REPORT = "[vt-agent] ";

    /**
     * Without it the JVM refuses every Java agent where it archives classes at its end; from JDK 26
     * on it always does.
     */
    private static final List<String> WITH_AGENTS =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+AllowArchivingWithJavaAgent");

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("trainings")
    void aTrainingRunGoesThroughWithoutTheAgent(Jdk jdk, List<String> options, String written) {
        List<String> lines = run(jdk, options);

        assertThat(lines)
                .filteredOn(line -> line.startsWith("[vt-agent]"))
                .singleElement(STRING)
                .contains("trains")
                .endsWith("the application runs without the agent");
        if (!written.isEmpty()) {
            assertThat(folder.resolve(written)).isNotEmptyFile();
        }
    }

    static Stream<Arguments> trainings() {
        List<Arguments> trainings = new ArrayList<>();
        for (Jdk jdk : Jdks.all()) {
            if (jdk.archivesClassesBesideAgents()) {
                trainings.add(
                        Arguments.of(
                                jdk, withAgents("-XX:ArchiveClassesAtExit=FOLDER/a.jsa"), "a.jsa"));
                trainings.add(
                        Arguments.of(
                                jdk,
                                withAgents(
                                        "-XX:+AutoCreateSharedArchive",
                                        "-XX:SharedArchiveFile=FOLDER/b.jsa"),
                                "b.jsa"));
                trainings.add(Arguments.of(jdk, withAgents("-XX:+RecordDynamicDumpInfo"), ""));
            }
            if (jdk.hasAotCaches()) {
                trainings.add(
                        Arguments.of(jdk, List.of("-XX:AOTCacheOutput=FOLDER/c.aot"), "c.aot"));
                trainings.add(
                        Arguments.of(
                                jdk,
                                List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=FOLDER/d.conf"),
                                "d.conf"));
            }
        }
        return trainings.stream();
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#withAotCaches")
    void aRunWithTheCacheThatWasTrainedBesideTheAgentHasBoth(Jdk jdk) {
        run(jdk, List.of("-XX:AOTCacheOutput=FOLDER/app.aot"));

        // with this mode the JVM does not start if it cannot use the cache
        assertThat(run(jdk, List.of("-XX:AOTCache=FOLDER/app.aot", "-XX:AOTMode=on")))
                .anyMatch(line -> line.startsWith(OF_REPORT) && line.contains("carrier"));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#withAotCaches")
    void oneCacheServesRunsWithTheAgentAndWithout(Jdk jdk) {
        List<String> use = List.of("-XX:AOTCache=FOLDER/app.aot", "-XX:AOTMode=on", MODULE);
        end(launch(jdk, List.of("-XX:AOTCacheOutput=FOLDER/app.aot", MODULE)));

        assertThat(end(launch(jdk, use))).isEmpty();
        assertThat(run(jdk, use))
                .anyMatch(line -> line.startsWith(OF_REPORT) && line.contains("carrier"))
                .noneMatch(line -> line.contains("AOT cache"));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#withAotCaches")
    void aCacheThatTheAgentMakesTheJvmRefuseIsReported(Jdk jdk) {
        end(launch(jdk, List.of("-XX:AOTCacheOutput=FOLDER/app.aot")));

        assertThat(run(jdk, List.of("-XX:AOTCache=FOLDER/app.aot")))
                .anyMatch(line -> line.startsWith(OF_REPORT) && line.contains(MODULE));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aRunWithAClassDataArchiveHasTheAgent(Jdk jdk) {
        boolean together = jdk.archivesClassesBesideAgents();
        String training = "-XX:ArchiveClassesAtExit=FOLDER/app.jsa";
        if (together) {
            run(jdk, withAgents(training));
        } else {
            end(launch(jdk, List.of(training)));
        }

        List<String> use = List.of("-XX:SharedArchiveFile=FOLDER/app.jsa", "-Xshare:on");
        assertThat(run(jdk, together ? withAgents(use.toArray(String[]::new)) : use))
                .anyMatch(line -> line.startsWith(OF_REPORT) && line.contains("carrier"));
    }

    private static List<String> withAgents(String... options) {
        List<String> all = new ArrayList<>(WITH_AGENTS);
        all.addAll(List.of(options));
        return all;
    }

    private List<String> run(Jdk jdk, List<String> options) {
        return end(launch(jdk, options).agent("port=off"));
    }

    private ForkedJvm.Launch launch(Jdk jdk, List<String> options) {
        return ForkedJvm.on(jdk)
                .vm(
                        options.stream()
                                .map(option -> option.replace("FOLDER", folder.toString()))
                                .toArray(String[]::new))
                .onlyClassPath(jar());
    }

    /** Returns its output on stderr. */
    private static List<String> end(ForkedJvm.Launch launch) {
        try (ForkedJvm jvm = launch.main(Exiting.class, EXIT_CODE)) {
            assertThat(jvm.end()).as(jvm.toString()).isEqualTo(EXIT_CODE);
            assertThat(jvm.stdout()).contains("slept=2");
            return jvm.stderr();
        }
    }

    /** The JVM archives classes of jars only. */
    @BeforeEach
    void packWorkloads() throws IOException {
        Path classes = ForkedJvm.locationOf(ForkedJvm.class);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar()));
                Stream<Path> files = Files.walk(classes.resolve("io/vtagent/it/workload"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(
                                classes.relativize(file)
                                        .toString()
                                        .replace(File.separatorChar, '/')));
                out.write(Files.readAllBytes(file));
                out.closeEntry();
            }
        }
    }

    private Path jar() {
        return folder.resolve("workload.jar");
    }
}
