package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.junit.fixture.Runner;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that runs fixtures, as Surefire's would, with the jar of the extension as users have it.
 */
final class TestJvm {
    private static final int LIMIT_SECONDS = 240;
    private static final Path TARGET = Path.of(System.getProperty("it.target"));
    private static final Path LIBRARIES = TARGET.resolve("junit");

    private final int jdk;
    private final String junit;
    private final List<String> options =
            new ArrayList<>(
                    List.of(
                            "-Djdk.reflect.useNativeAccessorOnly=true",
                            "-XX:+EnableDynamicAgentLoading"));

    /**
     * The outcome of the tests.
     *
     * @param statuses by the name of the test
     * @param messages what those threw that failed
     */
    record Outcome(Map<String, String> statuses, Map<String, String> messages, String output) {
        String messageOf(String test) {
            assertThat(messages).containsKey(test);
            return messages.getOrDefault(test, "");
        }
    }

    /**
     * @param junit the version of JUnit's platform
     */
    TestJvm(int jdk, String junit) {
        this.jdk = jdk;
        this.junit = junit;
    }

    /**
     * Adds an option of the JVM. The default option that allows attaching is dropped if {@code
     * option} contradicts it.
     */
    TestJvm with(String option) {
        if (option.contains("EnableDynamicAgentLoading")) {
            options.removeIf(each -> each.contains("EnableDynamicAgentLoading"));
        }
        options.add(option);
        return this;
    }

    static Path jar() {
        return TARGET.resolve("vt-agent-junit.jar");
    }

    /**
     * @param arguments of {@link Runner}: names of fixtures, and JUnit's parameters
     */
    Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(home(jdk).resolve("bin").resolve("java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), Runner.class.getName()));
        for (String argument : arguments) {
            command.add(
                    argument.contains("=")
                            ? argument
                            : Runner.class.getPackageName() + "." + argument);
        }
        Path output = Files.createTempFile(TARGET, "jvm-", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("ends: %s", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        Files.delete(output);
        assertThat(text).contains("DONE");
        return parse(text);
    }

    private String classPath() {
        return String.join(
                File.pathSeparator,
                jar().toString(),
                TARGET.resolve("test-classes").toString(),
                LIBRARIES.resolve("byte-buddy-agent.jar").toString(),
                LIBRARIES.resolve("junit-" + junit + ".jar").toString());
    }

    private static Outcome parse(String text) {
        Map<String, String> statuses = new TreeMap<>();
        Map<String, String> messages = new TreeMap<>();
        for (String line : text.lines().filter(each -> each.startsWith("TEST ")).toList()) {
            String[] parts = line.split(" ", -1);
            statuses.put(parts[1], parts[2]);
            messages.put(
                    parts[1],
                    new String(
                            Base64.getDecoder().decode(parts[3].substring(1)),
                            StandardCharsets.UTF_8));
        }
        return new Outcome(statuses, messages, text);
    }

    /**
     * Returns the home of a JDK, as the script {@code ./jdk} finds it; the script itself prints
     * what to do when there is none.
     */
    static Path home(int jdk) throws IOException, InterruptedException {
        Process script =
                new ProcessBuilder(
                                "bash",
                                System.getProperty("it.root") + "/jdk",
                                Integer.toString(jdk))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String home =
                new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        assertThat(script.waitFor()).as("./jdk %s", jdk).isZero();
        return Path.of(home);
    }
}
