package io.vtagent.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files that this process has open, as Linux lists them. */
public final class OpenFiles {
    private OpenFiles() {}

    /** Returns their paths. */
    public static List<String> list() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                try {
                    open.add(Files.readSymbolicLink(file).toString());
                } catch (IOException closed) {
                    // that of the list itself
                }
            }
        }
        return open;
    }
}
