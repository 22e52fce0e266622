package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentClassLoaderTest {
    private static final String MANIFEST =
            "Manifest-Version: 1.0\r\n"
                    + "Implementation-Title: vt-agent\r\n"
                    + "Implementation-Version: 1.2\r\n\r\n";

    @TempDir Path folder = Path.of("");

    /** A class to load. */
    static final class Loaded {}

    @Test
    void loadsItsOwnClassesAndNoneOfTheApplications()
            throws ReflectiveOperationException, IOException {
        ClassLoader loader = new AgentClassLoader(jar());
        Class<?> loaded = loader.loadClass(Loaded.class.getName());
        assertThat(loaded).isNotSameAs(Loaded.class);
        assertThat(loaded.getClassLoader()).isSameAs(loader);
        assertThat(loaded.getProtectionDomain().getCodeSource().getLocation())
                .isEqualTo(jar().toURI().toURL());
        // a security manager asks the policy, which may permit everything
        assertThat(loaded.getProtectionDomain().staticPermissionsOnly()).isFalse();
        Package own = loaded.getPackage();
        assertThat(own.getImplementationTitle() + " " + own.getImplementationVersion())
                .isEqualTo("vt-agent 1.2");
        assertThatThrownBy(() -> loader.loadClass(AgentClassLoaderTest.class.getName()))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void findsResources() throws IOException {
        ClassLoader loader = new AgentClassLoader(jar());
        URL text = Objects.requireNonNull(loader.getResource("a b/text.txt"));
        try (InputStream in = text.openStream()) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("text");
        }
        assertThat(Collections.list(loader.getResources("a b/text.txt"))).containsExactly(text);
        assertThat(loader.getResource("missing.txt")).isNull();
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> new AgentClassLoader(folder.resolve("missing.jar").toFile()))
                .isInstanceOf(NoSuchFileException.class);
    }

    private File jar() throws IOException {
        Path jar = folder.resolve("own one.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            put(out, "META-INF/MANIFEST.MF", MANIFEST.getBytes(StandardCharsets.UTF_8));
            String file = Loaded.class.getName().replace('.', '/') + ".class";
            try (InputStream in =
                    Objects.requireNonNull(ClassLoader.getSystemResourceAsStream(file))) {
                put(out, file, in.readAllBytes());
            }
            put(out, "a b/text.txt", "text".getBytes(StandardCharsets.UTF_8));
        }
        return jar.toFile();
    }

    private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
