package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The known pins as a module that requires only {@code java.base}. */
final class Modular {
    private static final String MODULE = "io.vtagent.compatibility.pins";

    private Modular() {}

    /** Made here, as the build's jar tool may be too old for the module's class file. */
    static Path module(Path folder) throws IOException {
        Path classes = folder.resolve("module");
        try (FileSystem jar = FileSystems.newFileSystem(Artifacts.jar("pins"));
                Stream<Path> entries = Files.walk(jar.getPath("/io"))) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                Path copy = classes.resolve(entry.toString().substring(1));
                Files.createDirectories(copy.getParent());
                Files.copy(entry, copy);
            }
        }
        Path source =
                Files.writeString(folder.resolve("module-info.java"), "module " + MODULE + " {}");
        int exit =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "--release",
                                "21",
                                "-d",
                                classes.toString(),
                                source.toString());
        assertThat(exit).isZero();
        return classes;
    }

    /** The command line that starts it. */
    static Object[] commandLine(Path module) {
        return List.of("-p", module, "-m", MODULE + "/" + MODULE + ".Main", PlainApplication.PINS)
                .toArray();
    }
}
