package io.vtagent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A JVM to measure on.
 *
 * @param version as in {@code java.version}
 * @param arguments what makes it start like any installed JDK, and silently
 */
record Jvm(Path home, String version, List<String> arguments) {
    /** From here on JMH's use of {@code sun.misc.Unsafe} is warned of. */
    private static final int WARNS_OF_UNSAFE = 24;

    /** JEP 491. */
    static final int LAST_WHERE_MONITORS_PIN = 23;

    /**
     * @param scratch a folder for the class-data archive that a JDK without one is given
     */
    static Jvm at(Path home, Path scratch) throws IOException, InterruptedException {
        Properties release = new Properties();
        try (var in = Files.newInputStream(home.resolve("release"))) {
            release.load(in);
        }
        String version = release.getProperty("JAVA_VERSION", "?").replace("\"", "");
        boolean warns = feature(version) >= WARNS_OF_UNSAFE;
        Jvm plain =
                new Jvm(
                        home,
                        version,
                        warns ? List.of("--sun-misc-unsafe-memory-access=allow") : List.of());
        if (Files.exists(home.resolve("lib/server/classes.jsa"))) {
            return plain;
        }
        String archive = "-XX:SharedArchiveFile=" + scratch.resolve("classes-" + version + ".jsa");
        Process dump =
                new ProcessBuilder(plain.java(), "-Xshare:dump", archive)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (dump.waitFor() != 0) {
            return plain;
        }
        List<String> arguments = new ArrayList<>(plain.arguments);
        arguments.add(archive);
        return new Jvm(home, version, arguments);
    }

    String java() {
        return home.resolve("bin/java").toString();
    }

    /** Returns the command that starts it, with what the arm adds. */
    List<String> command(Arm arm) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(arguments);
        command.addAll(arm.jvmArguments());
        return command;
    }

    int feature() {
        return feature(version);
    }

    private static int feature(String version) {
        return Integer.parseInt(version.replaceFirst("[^0-9].*", ""));
    }
}
