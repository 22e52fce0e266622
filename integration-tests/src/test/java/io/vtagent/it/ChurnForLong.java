package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.stress.Churn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code mvn -Pstress -pl integration-tests -am verify -Dstress.minutes=60}: no call of the agent
 * into the JVM ends it, whatever the threads and classes do meanwhile ({@link Churn}); five minutes
 * on each JDK, or as many as are asked for.
 */
final class ChurnForLong {
    private static final int MINUTES = Integer.getInteger("stress.minutes", 5);

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void noCallOfTheAgentEndsTheJvm(Jdk jdk, @TempDir Path folder) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Churn.class.getName());
        manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        Path redefining = folder.resolve("redefining.jar");
        new JarOutputStream(Files.newOutputStream(redefining), manifest).close();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm(
                                "-Xmx256m",
                                "-javaagent:" + redefining,
                                "-XX:ErrorFile=" + folder.resolve("hs_err.log"))
                        .vm("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED")
                        .vm("--add-opens", "java.base/jdk.internal.loader=ALL-UNNAMED")
                        .vm("--add-opens", "java.base/java.lang=ALL-UNNAMED")
                        .agent("port=off,report=off,sample-interval=1ms,starvation-after=1s")
                        .classPath(ForkedJvm.agentJar())
                        .main(Churn.class, MINUTES)) {
            for (int minute = 1; minute <= MINUTES; minute++) {
                jvm.awaitLine("minute=" + minute);
            }
            assertThat(jvm.number("loaders")).isPositive();
            assertThat(jvm.number("redefined")).isPositive();
            jvm.awaitDone();
        }
    }
}
