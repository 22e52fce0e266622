package io.vtagent.demo.launch;

import io.vtagent.demo.Demo;
import io.vtagent.demo.model.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Starts the JVMs of the runs.
 *
 * @param root the root of the checkout
 * @param homes the home of every JDK that a run needs, by feature version
 */
record ChildJvms(Path root, Map<Integer, Path> homes, Options options) {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** Finds every JDK before anything runs, so that a missing one is reported at once. */
    static ChildJvms of(Path root, Options options) throws LaunchException, InterruptedException {
        Map<Integer, Path> homes = new TreeMap<>();
        for (Run run : options.runs()) {
            if (!homes.containsKey(run.jdk())) {
                homes.put(run.jdk(), home(root, run.jdk()));
            }
        }
        return new ChildJvms(root, homes, options);
    }

    private static Path home(Path root, int jdk) throws LaunchException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(root.resolve("jdk").toString(), Integer.toString(jdk))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            String home =
                    new String(process.getInputStream().readAllBytes(), Charset.defaultCharset())
                            .strip();
            if (process.waitFor() != 0) {
                throw new LaunchException(
                        "there is no JDK %d to run on; --jdk N chooses another".formatted(jdk));
            }
            return Path.of(home);
        } catch (IOException e) {
            throw new LaunchException("./jdk cannot be run: " + e.getMessage());
        }
    }

    ChildJvm start(Run run) throws IOException {
        boolean serve = options.mode() == Options.Mode.SERVE;
        Settings settings = run.settings();
        List<String> command = new ArrayList<>();
        command.add(Objects.requireNonNull(homes.get(run.jdk())).resolve("bin/java").toString());
        command.add(agent(run, serve));
        command.add("-Djdk.virtualThreadScheduler.parallelism=" + options.carriers());
        command.addAll(run.variant().jvmOptions());
        command.addAll(
                List.of(
                        "-cp",
                        classPath(run),
                        Demo.class.getName(),
                        "run",
                        run.demoCase().name(),
                        "--variant",
                        run.variant().name(),
                        Settings.TASKS,
                        Integer.toString(settings.tasks()),
                        Settings.LATENCY_MILLIS,
                        Integer.toString(settings.latencyMillis()),
                        Settings.JDBC_URL,
                        settings.jdbcUrl(),
                        "--hold"));
        if (serve) {
            command.add("--serve");
        }
        return new ChildJvm(run, new ProcessBuilder(command).start(), limit(settings));
    }

    private String agent(Run run, boolean serve) {
        Stream<String> own = serve ? Stream.of("report=off") : Stream.of("port=0", "report=off");
        return "-javaagent:"
                + root.resolve("agent/target/vt-agent.jar")
                + '='
                + String.join(
                        ",", Stream.concat(own, run.variant().agentOptions().stream()).toList());
    }

    /** That of this JVM, which has the cases; and what only this one needs. */
    private String classPath(Run run) {
        String own = System.getProperty("java.class.path", "");
        return run.demoCase()
                .module()
                .map(module -> root.resolve(module).resolve("target"))
                .map(
                        target ->
                                String.join(
                                        File.pathSeparator,
                                        own,
                                        target.resolve("classes").toString(),
                                        target.resolve("lib").resolve("*").toString()))
                .orElse(own);
    }

    /** Even one task after the other would be through by then. */
    private static Duration limit(Settings settings) {
        return START_LIMIT.plusMillis((long) settings.tasks() * settings.latencyMillis());
    }
}
