package io.vtagent.it;

import java.nio.file.Path;

/** The other agents and libraries, as the build has copied them. */
final class Artifacts {
    private Artifacts() {}

    static Path jar(String name) {
        return Path.of(System.getProperty("it.artifacts", "target/artifacts"), name + ".jar")
                .toAbsolutePath();
    }

    /** A file that the build of one of the applications made. */
    static Path built(String application, String file) {
        return Path.of(
                        System.getProperty("it.applications", "../applications"),
                        application,
                        "target",
                        file)
                .toAbsolutePath()
                .normalize();
    }
}
