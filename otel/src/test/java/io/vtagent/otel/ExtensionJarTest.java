package io.vtagent.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionJarTest {
    @TempDir Path folder;

    private Path own = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void write() throws IOException {
        own = jar("b.jar", "io/vtagent/otel/ExtensionJar.class");
        other = jar("a.jar", "com/acme/Extension.class");
    }

    private Path jar(String name, String entry) throws IOException {
        Path file = folder.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry(entry));
        }
        return file;
    }

    @Test
    void itIsFoundAmongSeveralFilesAndInAFolder() throws IOException {
        assertThat(ExtensionJar.find(List.of(other + "," + own))).isEqualTo(own.toFile());
        assertThat(ExtensionJar.find(List.of("no-such-file," + folder))).isEqualTo(own.toFile());
        assertThat(ExtensionJar.find(Arrays.asList(null, "", own.toString())))
                .isEqualTo(own.toFile());
    }

    @Test
    void whatIsNoJarIsNotTaken() throws IOException {
        Path text = Files.writeString(folder.resolve("c.jar"), "no jar");

        assertThatThrownBy(() -> ExtensionJar.find(List.of(text + "," + other)))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("otel.javaagent.extensions");
    }
}
