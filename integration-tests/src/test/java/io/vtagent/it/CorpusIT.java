package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Corpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes that others have written: with the agent each is verified as it is without, and has the
 * same {@code serialVersionUID}. The folder {@code it.corpus} is one of jars, for the long run of
 * the profile {@code corpus}; without it there are some modules of the JDK, whose classes are
 * defined a second time.
 */
final class CorpusIT {
    private static final List<String> MODULES =
            List.of("java.xml", "java.naming", "java.rmi", "java.sql.rowset", "java.management");
    private static final List<String> ORDERED =
            List.of(
                    "java.lang.NoClassDefFoundError",
                    "java.lang.LinkageError",
                    "java.lang.IncompatibleClassChangeError");
    private static final @Nullable String JARS = System.getProperty("it.corpus");

    /**
     * The minimum number of classes with a computed UID for each class without one, whose
     * initializer fails.
     */
    private static final int MIN_PER_FAILURE = 4;

    private static final int MIN = JARS == null ? 2_000 : 100_000;

    @TempDir Path folder = Path.of("");

    static Stream<Arguments> pinningModes() {
        return Stream.concat(
                Jdks.whereMonitorsPin().stream().map(jdk -> Arguments.of(jdk, "-XX:+UseSerialGC")),
                Jdks.withLockingModes().stream()
                        .map(jdk -> Arguments.of(jdk, "-XX:LockingMode=1")));
    }

    @ParameterizedTest
    @MethodSource("pinningModes")
    void everyClassIsVerifiedAndKeepsItsSerialVersionUid(Jdk jdk, String option)
            throws IOException {
        ForkedJvm.Launch plain = on(jdk, option);
        ForkedJvm.Launch wrapped = on(jdk, option).agent();
        Map<String, String> expected = results(plain, "plain");
        Map<String, String> found = results(wrapped, "wrapped");

        assertThat(expected.values().stream().filter("linked"::equals).count()).isGreaterThan(MIN);
        List<String> different = new ArrayList<>();
        expected.forEach(
                (name, result) -> {
                    if (!result.equals(found.get(name))) {
                        different.add(name + ": " + result + " became " + found.get(name));
                    }
                });
        assertThat(different).isEmpty();
        assertThat(found).hasSameSizeAs(expected);
    }

    private static ForkedJvm.Launch on(Jdk jdk, String option) {
        return ForkedJvm.on(jdk).vm(option, "-Xverify:all", "-Xmx2g", "-Djava.awt.headless=true");
    }

    private Map<String, String> results(ForkedJvm.Launch launch, String name) throws IOException {
        Path results = folder.resolve(name);
        List<Object> arguments = new ArrayList<>(List.of(results, folder.resolve("uids")));
        arguments.addAll(sources());
        try (ForkedJvm jvm = launch.main(Corpus.class, arguments.toArray())) {
            jvm.awaitDone();
            // "none" with and without the agent is no proof
            assertThat(jvm.number("uids"))
                    .as("told")
                    .isGreaterThan(MIN_PER_FAILURE * jvm.number("without-uid"));
            if (JARS != null) {
                assertThat(jvm.fact("versions"))
                        .as("from Java 1.1 to this JDK's")
                        .startsWith("{45=")
                        .contains(" " + jvm.fact("newest") + "=");
            }
            System.out.println(
                    "corpus "
                            + name
                            + " "
                            + jvm.fact("classes")
                            + " classes of versions "
                            + jvm.fact("versions")
                            + ", "
                            + jvm.fact("uids")
                            + " serialVersionUIDs, "
                            + jvm.fact("without-uid")
                            + " without"
                            + figures(jvm, name));
        }
        Map<String, String> found = new HashMap<>();
        try (Stream<String> lines = Files.lines(results)) {
            lines.forEach(
                    line -> {
                        int tab = line.lastIndexOf('\t');
                        found.put(line.substring(0, tab), kindOf(line.substring(tab + 1)));
                    });
        }
        System.out.println(
                "corpus "
                        + name
                        + " linked "
                        + found.values().stream().filter("linked"::equals).count());
        return found;
    }

    /**
     * Returns only the kind of a failure to find what a class needs: the order in which the
     * verifier asks decides what is reported.
     */
    private static String kindOf(String result) {
        return ORDERED.stream().filter(result::startsWith).findFirst().orElse(result);
    }

    private static String figures(ForkedJvm jvm, String name) {
        if (name.equals("plain")) {
            return "";
        }
        Metrics metrics = jvm.metrics();
        double transformed = metrics.value("vthread_agent_classes_total", "outcome", "transformed");
        assertThat(transformed).isPositive();
        assertThat(metrics.value("vthread_agent_classes_total", "outcome", "failed")).isZero();
        return ", " + (long) transformed + " wrapped";
    }

    private static List<String> sources() throws IOException {
        if (JARS == null) {
            return MODULES;
        }
        try (Stream<Path> jars = Files.list(Path.of(JARS))) {
            List<String> sources =
                    new ArrayList<>(
                            jars.map(Path::toString)
                                    .filter(jar -> jar.endsWith(".jar"))
                                    .sorted()
                                    .toList());
            sources.add("jdk");
            return sources;
        }
    }
}
