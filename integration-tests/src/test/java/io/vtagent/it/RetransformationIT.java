package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.LoadedWhileLeaving;
import io.vtagent.it.workload.Retransformed;
import io.vtagent.it.workload.SecondAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Other agents, debuggers and IDEs transform classes after this agent has: the JVM takes what it
 * would have taken without it.
 */
final class RetransformationIT {
    /**
     * Both classes have it, which shows that it runs; the type of the argument is not there at run
     * time.
     */
    private static final String NEEDY =
            """
            public class Needy implements java.util.function.IntSupplier {
                private int calls;
                public synchronized int getAsInt() { return ++calls; }
                public synchronized Optional use(Optional given) { return given; }
            }
            """;

    private static final String BODY =
            """
            public class Body implements java.util.function.IntSupplier, java.io.Serializable {
                public synchronized int getAsInt() { return %s; }
            }
            """;

    @TempDir Path folder = Path.of("");

    static Stream<Arguments> pinningModes() {
        return Stream.concat(
                        Jdks.whereMonitorsPin().stream()
                                .map(jdk -> List.of(jdk, "-XX:+UseSerialGC")),
                        Jdks.withLockingModes().stream()
                                .map(jdk -> List.of(jdk, "-XX:LockingMode=1")))
                .flatMap(
                        mode ->
                                Stream.of(true, false)
                                        .map(
                                                first ->
                                                        Arguments.of(
                                                                mode.get(0), mode.get(1), first)));
    }

    @ParameterizedTest
    @MethodSource("pinningModes")
    void whatAnotherAgentTransformsIsTakenByTheJvm(Jdk jdk, String option, boolean secondIsFirst)
            throws IOException {
        Path changed = compile();
        String second = "-javaagent:" + secondAgentIn(folder);
        ForkedJvm.Launch launch = ForkedJvm.on(jdk).vm(option).classPath(folder);
        launch = secondIsFirst ? launch.vm(second).agent() : launch.agent().vm(second);
        try (ForkedJvm jvm = launch.main(Retransformed.class, changed).awaitDone()) {
            String loaded = jvm.fact("body loaded");
            assertThat(loaded).startsWith("1 1 "); // public, and no longer synchronized
            assertThat(jvm.fact("retransformed")).isEqualTo("all");
            assertThat(jvm.fact("body retransformed")).isEqualTo(loaded);
            assertThat(jvm.fact("body redefined")).isEqualTo(loaded.replaceFirst("1", "2"));
            assertThat(jvm.fact("again")).isEqualTo("all");
            assertThat(jvm.fact("body again")).isEqualTo(loaded.replaceFirst("1", "2"));
            assertThat(jvm.metrics().value("vthread_agent_classes_total", "outcome", "failed"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void aClassThatLoadsWhileTheAgentLeavesIsChangedBackToo(Jdk jdk) throws IOException {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .agent()
                        .vm("-javaagent:" + secondAgentIn(folder)) // the JVM asks it second
                        .main(LoadedWhileLeaving.class)
                        .awaitLine("loading")) {
            Attaching.detach(jvm, 1);
            jvm.awaitLine("loaded").proceed().awaitDone();
            assertThat(jvm.fact("meanwhile")).isEqualTo(jvm.fact("afterwards"));
        }
    }

    /** Gives the file of the second version of the class. */
    private Path compile() throws IOException {
        javac("Optional", "public class Optional {}", folder);
        javac("Needy", NEEDY, folder);
        Files.delete(folder.resolve("Optional.class"));
        javac("Body", BODY.formatted("1"), folder);
        Path changed = Files.createDirectory(folder.resolve("changed"));
        javac(
                "Body",
                BODY.formatted(
                        "1 + Integer.signum(hashCode() | 1) * Integer.signum(hashCode() | 1)"),
                changed);
        return changed.resolve("Body.class");
    }

    private void javac(String name, String source, Path into) throws IOException {
        Path file = into.resolve(name + ".java");
        Files.writeString(file, source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
                List.of(
                        "--release",
                        "21",
                        "-cp",
                        folder.toString(),
                        "-d",
                        into.toString(),
                        file.toString());
        assertThat(compiler.run(null, null, null, options.toArray(new String[0]))).isZero();
    }

    /** Makes a jar of the agent {@link SecondAgent}, whose classes are on the class path. */
    static Path secondAgentIn(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", SecondAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        attributes.putValue("Can-Redefine-Classes", "true");
        Path jar = folder.resolve("second.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
