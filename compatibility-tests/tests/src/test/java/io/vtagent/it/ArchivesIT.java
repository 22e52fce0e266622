package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives of classes that were made without the agent, and images with few modules. */
final class ArchivesIT {
    /** The module that a sensor needs. */
    private static final Map<String, String> NEEDED =
            Map.of("native", "java.management", "vm", "jdk.jfr");

    private static final String MAIN = "io.vtagent.compatibility.pins.Main";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theJdksOwnArchive(Jdk jdk) {
        endsAsWithoutTheAgent(jdk, "-Xshare:on");
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void anArchiveOfTheApplicationsClasses(Jdk jdk, @TempDir Path folder) {
        Path archive = folder.resolve("pins.jsa");
        run(jdk, "-XX:ArchiveClassesAtExit=" + archive);
        assertThat(archive).exists();
        // beside any agent, JDK 25 would log that the archive was made without the module
        // java.instrument
        endsAsWithoutTheAgent(jdk, "-XX:SharedArchiveFile=" + archive, "-Xlog:disable");
    }

    @Test
    void anAotCache(@TempDir Path folder) {
        Jdk jdk = Jdks.jdk25();
        Path cache = folder.resolve("pins.aot");
        // without the module, the JVM would leave the cache alone beside any agent
        run(jdk, "-XX:AOTCacheOutput=" + cache, "--add-modules=java.instrument");
        assertThat(cache).exists();
        endsAsWithoutTheAgent(jdk, "-XX:AOTCache=" + cache);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.base,java.instrument",
                "java.base,java.instrument,java.management",
                "java.base,java.instrument,jdk.jfr",
                "java.base,java.instrument,java.management,jdk.management,jdk.jfr"
            })
    void anImageWithoutTheModulesThatTheAgentCouldUse(String modules, @TempDir Path folder)
            throws IOException, InterruptedException {
        Jdk jdk = Jdks.jdk25();
        Path image = folder.resolve("image");
        Process jlink =
                new ProcessBuilder(
                                jdk.home().resolve("bin/jlink").toString(),
                                "--add-modules",
                                modules,
                                "--output",
                                image.toString())
                        .inheritIO()
                        .start();
        assertThat(jlink.waitFor()).isZero();
        countsAllTheSame(jdk, ForkedJvm.on(image), modules, Modular.module(folder));
    }

    /** As an image, on JDKs that come without jlink, too. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aJvmLimitedToTwoModules(Jdk jdk, @TempDir Path folder) throws IOException {
        String modules = "java.base,java.instrument";
        countsAllTheSame(
                jdk,
                ForkedJvm.on(jdk).vm("--limit-modules=" + modules),
                modules,
                Modular.module(folder));
    }

    /**
     * Checks that each missing module costs a sensor and a line. The JVM of a named module has only
     * the modules which that module needs, unless an option adds more.
     */
    private static void countsAllTheSame(
            Jdk jdk, ForkedJvm.Launch launch, String modules, Path module) {
        try (ForkedJvm jvm =
                launch.vm("--add-modules=" + modules)
                        .carriers(4)
                        .agent("port=0,report=off,vm-events=on")
                        .java(Modular.commandLine(module))) {
            Metrics before = jvm.awaitLine("warm").metrics();
            jvm.proceed();
            KnownPins.areCounted(
                    jvm.awaitDone().metrics().since(before), jdk, PlainApplication.PINS);
            NEEDED.forEach(
                    (sensor, needed) ->
                            isUpWhere(List.of(modules.split(",")).contains(needed), sensor, jvm));
            assertThat(jvm.end()).isEqualTo(7);
            assertThat(jvm.stderr()).allMatch(line -> line.startsWith("[vt-agent] "));
        }
    }

    private static void isUpWhere(boolean hasModule, String sensor, ForkedJvm jvm) {
        String line =
                "[vt-agent] sensor "
                        + sensor
                        + " is down: this JVM runs without the module "
                        + NEEDED.get(sensor);
        if (hasModule) {
            jvm.awaitSensor(sensor);
        } else {
            jvm.awaitStderr(reported -> reported.startsWith(line));
        }
        assertThat(jvm.metrics().sum("vthread_agent_sensor_up", "sensor", sensor))
                .isEqualTo(hasModule ? 1 : 0);
        assertThat(jvm.stderr().stream().filter(reported -> reported.startsWith(line)))
                .as("lines that it is down")
                .hasSize(hasModule ? 0 : 1);
    }

    private static void endsAsWithoutTheAgent(Jdk jdk, String... options) {
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                ForkedJvm.on(jdk).vm(options),
                ForkedJvm.on(jdk).vm(options),
                ArchivesIT::pins);
    }

    private static void run(Jdk jdk, String... options) {
        try (ForkedJvm jvm = pins(ForkedJvm.on(jdk).vm(options))) {
            assertThat(jvm.end()).isEqualTo(7);
        }
    }

    /** From jars alone: folders cannot be archived. */
    private static ForkedJvm pins(ForkedJvm.Launch launch) {
        return launch.java("-cp", Artifacts.jar("pins"), MAIN, PlainApplication.PINS);
    }
}
