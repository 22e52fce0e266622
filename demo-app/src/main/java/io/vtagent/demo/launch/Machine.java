package io.vtagent.demo.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The machine on which the figures were measured. */
final class Machine {

    private static final Path CPU = Path.of("/proc/cpuinfo");
    private static final Path LOAD = Path.of("/proc/loadavg");

    private Machine() {}

    /** In words, with the JDKs at {@code homes}. */
    static String here(Map<Integer, Path> homes) {
        String jdks =
                homes.values().stream().map(Machine::version).collect(Collectors.joining(" and "));
        return "%s, %d processors, %s %s, JDK %s%s"
                .formatted(
                        find(CPU, "model name", "unknown processor"),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        jdks,
                        load());
    }

    private static String version(Path home) {
        return find(home.resolve("release"), "JAVA_VERSION", "?").replace("\"", "");
    }

    /** A machine that had other work is given away by its load. */
    private static String load() {
        List<String> lines = lines(LOAD);
        return lines.isEmpty()
                ? ""
                : ", load average at the start " + lines.get(0).split(" ", 2)[0];
    }

    /**
     * Returns the text behind the first {@code :} or {@code =} of the first line that begins with
     * {@code key}.
     */
    private static String find(Path file, String key, String otherwise) {
        return lines(file).stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.split("[:=]", 2)[1].strip())
                .findFirst()
                .orElse(otherwise);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
