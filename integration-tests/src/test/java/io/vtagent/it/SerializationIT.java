package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Serialized;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Serialization of wrapped classes: wrapping a {@code synchronized} method changes a modifier that
 * the default {@code serialVersionUID} depends on.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class SerializationIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void whatWasWrittenWithoutTheAgentIsReadWithIt() {
        try (ForkedJvm writer = plain("write");
                ForkedJvm reader = withAgent("read")) {
            assertSameObjects(writer, reader);
        }
    }

    @Test
    void whatWasWrittenWithTheAgentIsReadWithoutIt() {
        try (ForkedJvm writer = withAgent("write");
                ForkedJvm reader = plain("read")) {
            assertSameObjects(writer, reader);
        }
    }

    /** Including their classes' {@code serialVersionUID}. */
    private static void assertSameObjects(ForkedJvm writer, ForkedJvm reader) {
        assertThat(objects(reader))
                .isEqualTo(objects(writer))
                .hasSizeGreaterThan((int) writer.number("objects"));
    }

    private static List<String> objects(ForkedJvm jvm) {
        return jvm.stdout().stream()
                .filter(line -> line.startsWith("object") || line.startsWith("uid"))
                .toList();
    }

    private ForkedJvm plain(String action) {
        ForkedJvm jvm = ForkedJvm.on(jdk).main(Serialized.class, action, folder.resolve("objects"));
        assertThat(jvm.awaitDone().number("synchronizedMethods")).isPositive();
        return jvm;
    }

    /** The modifier is gone, so the methods are wrapped. */
    private ForkedJvm withAgent(String action) {
        ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Xverify:all")
                        .agent("port=off,report=off")
                        .main(Serialized.class, action, folder.resolve("objects"));
        assertThat(jvm.awaitDone().number("synchronizedMethods")).isZero();
        return jvm;
    }
}
