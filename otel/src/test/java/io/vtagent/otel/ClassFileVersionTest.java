package io.vtagent.otel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** OpenTelemetry's agent, which runs on Java 8, does not start if it cannot load an extension. */
class ClassFileVersionTest {
    private static final int JAVA_8 = 52;

    @Test
    void everyClassOfTheExtensionCanBeLoadedByJava8() throws Exception {
        Path classes =
                Path.of(
                        SdkCustomizer.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        List<Integer> versions = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                versions.add(versionOf(file));
            }
        }

        assertThat(versions).hasSizeGreaterThan(5).containsOnly(JAVA_8);
    }

    private static int versionOf(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(6);
            return in.readUnsignedShort();
        }
    }
}
