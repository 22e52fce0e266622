package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.jr.ob.JSON;
import io.vtagent.demo.Catalogue;
import io.vtagent.demo.Demo;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.h2.Driver;

/**
 * A variant of a case of the demo in a JVM of its own, as {@code ./demo} runs it; nothing else runs
 * there.
 */
final class DemoRun implements AutoCloseable {
    private static final int CARRIERS = 8;
    private static final Path ROOT = Path.of(System.getProperty("it.root", ".."));

    private static final String SOURCES = "src/main/java/io/vtagent/demo/";

    /** The demo, a JDBC driver, and Jackson's two jars. */
    private static final Path[] CLASS_PATH =
            Stream.of(Demo.class, Driver.class, JSON.class, JsonFactory.class)
                    .map(ForkedJvm::locationOf)
                    .toArray(Path[]::new);

    private final ForkedJvm jvm;

    private DemoRun(ForkedJvm jvm) {
        this.jvm = jvm;
    }

    /** One that is over. */
    static DemoRun of(Jdk jdk, String caseName, String variantName, int tasks, int latencyMillis) {
        return of(jdk.home(), caseName, variantName, tasks, latencyMillis);
    }

    static DemoRun of(
            Path home, String caseName, String variantName, int tasks, int latencyMillis) {
        DemoRun run = begun(home, caseName, variantName, tasks, latencyMillis);
        try {
            run.result();
        } catch (AssertionError failed) {
            run.close();
            throw failed;
        }
        return run;
    }

    /** One that may go on. */
    static DemoRun begun(
            Path home, String caseName, String variantName, int tasks, int latencyMillis) {
        DemoCase demoCase = Catalogue.caseNamed(caseName);
        Variant variant = Catalogue.variantOf(demoCase, variantName);
        List<String> agent =
                Stream.concat(Stream.of("port=0", "report=off"), variant.agentOptions().stream())
                        .toList();
        ForkedJvm.Launch launch =
                ForkedJvm.on(home)
                        .carriers(CARRIERS)
                        .classPath(CLASS_PATH)
                        .agent(String.join(",", agent))
                        .vm(variant.jvmOptions().toArray(String[]::new));
        demoCase.module()
                .map(module -> ROOT.resolve(module).resolve("target"))
                .ifPresent(
                        target -> {
                            launch.classPath(
                                    target.resolve("classes"), target.resolve("lib").resolve("*"));
                        });
        return new DemoRun(
                launch.main(
                        Demo.class,
                        "run",
                        caseName,
                        "--variant",
                        variantName,
                        Settings.TASKS,
                        tasks,
                        Settings.LATENCY_MILLIS,
                        latencyMillis,
                        "--hold"));
    }

    /** Returns the result of the case. */
    Result result() {
        return Result.parse(jvm.awaitStdout(line -> Result.parse(line).isPresent())).orElseThrow();
    }

    double figure(String name) {
        return result().figure(name);
    }

    /** Returns the agent's figures. */
    Metrics metrics() {
        return jvm.metrics();
    }

    /** The part of the carriers' time, since the JVM began, that was held. */
    double lost() {
        Json report = report();
        return report.get("heldNanos").number() / (CARRIERS * report.get("uptimeNanos").number());
    }

    Json report() {
        return jvm.endpoint().report();
    }

    /** Why virtual threads are slow. */
    Json answer() {
        return report().get("answer");
    }

    /** Waits until the agent has reported that it does not measure this JVM. */
    void awaitAgentStaysOut() {
        jvm.awaitStderr(line -> line.endsWith("runs without the agent"));
    }

    /** The line of the one place in a source of the demo that contains {@code text}. */
    static int lineOf(String source, String text) throws IOException {
        List<String> lines =
                Files.readAllLines(
                        Stream.of("demo-app", "demo-web")
                                .map(module -> ROOT.resolve(module).resolve(SOURCES + source))
                                .filter(Files::exists)
                                .findFirst()
                                .orElseThrow());
        List<String> found = lines.stream().filter(line -> line.contains(text)).toList();
        assertThat(found).as("lines of %s with %s", source, text).hasSize(1);
        return lines.indexOf(found.get(0)) + 1;
    }

    @Override
    public void close() {
        jvm.close();
    }

    /**
     * Returns the limit, however fast the machine is, for tasks that each hold one of {@code
     * atATime} for {@code millis}; with a little more, because not all clocks agree. The demo shows
     * by how much tasks that hold nothing exceed it; on a busy machine they do not.
     */
    static double mostTasksPerSecond(int atATime, int millis) {
        return 1.02 * atATime * 1e3 / millis;
    }
}
