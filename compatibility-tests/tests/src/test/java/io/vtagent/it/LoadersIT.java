package io.vtagent.it;

import io.vtagent.company.launch.JavaOnly;
import io.vtagent.company.launch.Osgi;
import io.vtagent.company.launch.OwnSystemLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.framework.Bundle;

/**
 * Whoever loads the application's classes: they are wrapped, their pins are counted and named, and
 * the JDK stays closed to them.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class LoadersIT {
    private static final String MAIN = "io.vtagent.company.pins.Main";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void theClassPath() {
        Unserved.endsAsWithoutTheAgent(
                jdk, launch -> launch.classPath(Company.jar("pins")).main(MAIN, Unserved.PINS));
    }

    @Test
    void oneThatDelegatesNothingButJava() {
        Unserved.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.classPath(ForkedJvm.locationOf(JavaOnly.class))
                                .main(JavaOnly.class, Company.jar("pins")));
    }

    @Test
    void oneOfTheApplicationAsSystemClassLoader() {
        Unserved.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.vm(
                                        "-Djava.system.class.loader="
                                                + OwnSystemLoader.class.getName(),
                                        "-Dpins=" + Company.jar("pins"))
                                .classPath(
                                        ForkedJvm.locationOf(OwnSystemLoader.class),
                                        Company.jar("pins"))
                                .main(MAIN, Unserved.PINS));
    }

    @Test
    void osgi(@TempDir Path folder) {
        Path cache = folder.resolve("cache");
        Unserved.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.classPath(
                                        ForkedJvm.locationOf(Osgi.class),
                                        ForkedJvm.locationOf(Bundle.class))
                                .main(Osgi.class, Company.jar("pins"), cache));
    }

    @Test
    void jbossModules(@TempDir Path folder) throws IOException {
        Path module = Files.createDirectories(folder.resolve("pins/main"));
        Files.copy(Company.jar("pins"), module.resolve("pins.jar"));
        Files.writeString(
                module.resolve("module.xml"),
                """
                <module xmlns="urn:jboss:module:1.9" name="pins">
                  <main-class name="io.vtagent.company.pins.Main"/>
                  <resources><resource-root path="pins.jar"/></resources>
                </module>
                """);
        Unserved.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.java(
                                "-jar",
                                Company.jar("jboss-modules"),
                                "-mp",
                                folder,
                                "pins",
                                Unserved.PINS));
    }

    @Test
    void theModulePath(@TempDir Path folder) throws IOException {
        Path module = Modular.module(folder);
        Unserved.endsAsWithoutTheAgent(jdk, launch -> launch.java(Modular.commandLine(module)));
    }
}
