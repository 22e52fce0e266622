package io.vtagent.it;

import java.nio.file.Path;

/** Where the other agents and libraries are, as the build has copied them. */
final class Company {
    private Company() {}

    static Path jar(String name) {
        return Path.of(System.getProperty("it.company", "target/company"), name + ".jar")
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
