package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar itself: what is in it can meet the same in an application. */
final class JarIT {
    private static final long BUDGET_BYTES = 6 << 20;
    private static final Set<String> ALLOWED = Set.of(
            "META-INF/MANIFEST.MF",
            "META-INF/LICENSE",
            "META-INF/NOTICE",
            "java/lang/VtAgentProbe.class",
            "java/lang/VtAgentSensor.class");
    private static final String OWN = "io/vtagent/";
    private static final int CLASS_FILE_VERSION_OF_JAVA_8 = 52;

    @Test
    void holdsItsOwnClassesAndNothingElse() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
                    .allMatch(name -> name.startsWith(OWN) || ALLOWED.contains(name))
                    .contains("META-INF/LICENSE", "META-INF/NOTICE", "io/vtagent/VtAgent.class")
                    .contains("java/lang/VtAgentProbe.class", "java/lang/VtAgentSensor.class")
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void isSmall() throws IOException {
        assertThat(Files.size(ForkedJvm.agentJar())).isLessThanOrEqualTo(BUDGET_BYTES);
    }

    @Test
    void canBeLoadedBeforeMainAndIntoAJvmThatRunsAndMayChangeClasses() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Premain-Class")).isEqualTo("io.vtagent.VtAgent");
            assertThat(manifest.getValue("Agent-Class")).isEqualTo("io.vtagent.VtAgent");
            assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
        }
    }

    @Test
    void itsEntryCanBeLoadedByAnyJvm() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            byte[] entry = bytes(jar, jar.getEntry("io/vtagent/VtAgent.class"));
            assertThat((entry[6] & 0xFF) << 8 | (entry[7] & 0xFF)).isEqualTo(CLASS_FILE_VERSION_OF_JAVA_8);
        }
    }

    private static byte[] bytes(JarFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
