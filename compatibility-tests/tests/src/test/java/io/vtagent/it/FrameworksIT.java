package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.compatibility.launch.WebServer;
import jakarta.annotation.Resource;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An application of a framework, packaged according to its documentation, starts, serves and ends
 * as without the agent.
 */
@ParameterizedClass
@MethodSource("everyFrameworkOnEveryJdk")
final class FrameworksIT {
    private static final int ENDED_BY_SIGTERM = 143;

    @Parameter Case on = new Case("helidon", Jdks.jdk21());

    record Case(String framework, Jdk jdk) {}

    static Stream<Case> everyFrameworkOnEveryJdk() {
        return Stream.of(
                        "spring-boot-3",
                        "spring-boot-4",
                        "quarkus",
                        "helidon",
                        "micronaut",
                        "vertx",
                        "kotlin",
                        "tomcat")
                .flatMap(
                        framework ->
                                Stream.of(Jdks.jdk21(), Jdks.jdk25())
                                        .map(jdk -> new Case(framework, jdk)));
    }

    @Test
    void itStartsServesCountsAndEnds(@TempDir Path folder) {
        try (ForkedJvm plain = start(Function.identity(), folder.resolve("plain"))) {
            new ServedApplication(plain).serve();
            assertThat(plain.terminate()).isEqualTo(ENDED_BY_SIGTERM);
            try (ForkedJvm jvm = start(ForkedJvm.Launch::agent, folder.resolve("agent"))) {
                new ServedApplication(jvm).serveAndCount(jvm, on.jdk());
                assertThat(jvm.terminate()).isEqualTo(ENDED_BY_SIGTERM);
                assertThat(Lines.beyond(plain, jvm)).isEmpty();
                assertThat(Lines.complaints(jvm)).isEmpty();
            }
        }
    }

    private ForkedJvm start(Function<ForkedJvm.Launch, ForkedJvm.Launch> with, Path folder) {
        ForkedJvm.Launch launch = with.apply(ForkedJvm.on(on.jdk()).carriers(4));
        String name = on.framework();
        return switch (name) {
            case "spring-boot-3", "spring-boot-4" ->
                    launch.java("-jar", Artifacts.built(name, name + ".jar"));
            case "quarkus" ->
                    launch.java("-jar", Artifacts.built(name, "quarkus-app/quarkus-run.jar"));
            case "tomcat" -> tomcat(launch, folder);
            default ->
                    launch.java(
                            "-cp",
                            Artifacts.built(name, name + ".jar")
                                    + ":"
                                    + Artifacts.built(name, "lib")
                                    + "/*",
                            "io.vtagent.compatibility."
                                    + name
                                    + (name.equals("kotlin") ? ".ApplicationKt" : ".Application"));
        };
    }

    static ForkedJvm tomcat(ForkedJvm.Launch launch, Path folder) {
        return launch.classPath(
                        ForkedJvm.locationOf(WebServer.class),
                        Artifacts.jar("pins"),
                        ForkedJvm.locationOf(Tomcat.class),
                        ForkedJvm.locationOf(Resource.class))
                .main(WebServer.class, Artifacts.built("war", "war"), folder);
    }
}
