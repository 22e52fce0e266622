package io.vtagent.it;

import io.vtagent.compatibility.launch.JavaOnly;
import io.vtagent.compatibility.launch.Osgi;
import io.vtagent.compatibility.launch.OwnSystemLoader;
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
 * Application classes in other class loaders: they are wrapped, their pins are counted and named,
 * and the JDK stays closed to them.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class LoadersIT {
    private static final String MAIN = "io.vtagent.compatibility.pins.Main";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void theClassPath() {
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.classPath(Artifacts.jar("pins")).main(MAIN, PlainApplication.PINS));
    }

    @Test
    void oneThatDelegatesNothingButJava() {
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.classPath(ForkedJvm.locationOf(JavaOnly.class))
                                .main(JavaOnly.class, Artifacts.jar("pins")));
    }

    @Test
    void oneOfTheApplicationAsSystemClassLoader() {
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.vm(
                                        "-Djava.system.class.loader="
                                                + OwnSystemLoader.class.getName(),
                                        "-Dpins=" + Artifacts.jar("pins"))
                                .classPath(
                                        ForkedJvm.locationOf(OwnSystemLoader.class),
                                        Artifacts.jar("pins"))
                                .main(MAIN, PlainApplication.PINS));
    }

    @Test
    void osgi(@TempDir Path folder) {
        Path cache = folder.resolve("cache");
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.classPath(
                                        ForkedJvm.locationOf(Osgi.class),
                                        ForkedJvm.locationOf(Bundle.class))
                                .main(Osgi.class, Artifacts.jar("pins"), cache));
    }

    @Test
    void jbossModules(@TempDir Path folder) throws IOException {
        Path module = Files.createDirectories(folder.resolve("pins/main"));
        Files.copy(Artifacts.jar("pins"), module.resolve("pins.jar"));
        Files.writeString(
                module.resolve("module.xml"),
                """
                <module xmlns="urn:jboss:module:1.9" name="pins">
                  <main-class name="io.vtagent.compatibility.pins.Main"/>
                  <resources><resource-root path="pins.jar"/></resources>
                </module>
                """);
        PlainApplication.endsAsWithoutTheAgent(
                jdk,
                launch ->
                        launch.java(
                                "-jar",
                                Artifacts.jar("jboss-modules"),
                                "-mp",
                                folder,
                                "pins",
                                PlainApplication.PINS));
    }

    @Test
    void theModulePath(@TempDir Path folder) throws IOException {
        Path module = Modular.module(folder);
        PlainApplication.endsAsWithoutTheAgent(
                jdk, launch -> launch.java(Modular.commandLine(module)));
    }
}
