package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program in a JVM of its own, with its output line by line. A test that waits for something
 * waits for a line, for at most {@link #LIMIT}; a JVM that is still there at {@link #close} is
 * killed.
 */
final class ForkedJvm implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(Long.getLong("it.limit.seconds", 90));
    private static final Pattern ENDPOINT =
            Pattern.compile("\\[vt-agent].* (http://\\S+)/metrics.*");

    private static final String PROVED_LATER = "[vt-agent] all sensors have been tested now";

    private final String command;
    private final Process process;
    private final OutputLines stdout;
    private final OutputLines stderr;

    private ForkedJvm(ProcessBuilder builder) {
        command = String.join(" ", builder.command());
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new IllegalStateException("cannot run " + command, failed);
        }
        stdout = new OutputLines(process.getInputStream());
        stderr = new OutputLines(process.getErrorStream());
    }

    static Launch on(Jdk jdk) {
        return on(jdk.home());
    }

    static Launch on(Path home) {
        return new Launch(home);
    }

    /** The agent's jar, as it was built. */
    static Path agentJar() {
        return Path.of(System.getProperty("it.agent.jar", "../agent/target/vt-agent.jar"))
                .toAbsolutePath()
                .normalize();
    }

    /** Returns where a class of the tests or of their dependencies comes from. */
    static Path locationOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return Path.of(URI.create(source.getLocation().toString()));
    }

    /** A builder of a forked JVM. The class path is that of the workloads. */
    static final class Launch {
        private final Path home;
        private final List<String> shell = new ArrayList<>();
        private final List<String> vmOptions = new ArrayList<>();
        private final List<Path> classPath = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();

        private Launch(Path home) {
            this.home = home;
            classPath.add(locationOf(ForkedJvm.class));
        }

        Launch vm(String... options) {
            vmOptions.addAll(Arrays.asList(options));
            return this;
        }

        /**
         * Sets the command that starts the JVM; it gets the JVM's command line as further
         * arguments.
         */
        Launch through(String... command) {
            shell.addAll(Arrays.asList(command));
            return this;
        }

        /** Sets how many carriers the scheduler keeps; it may add others to compensate. */
        Launch carriers(int parallelism) {
            return vm("-Djdk.virtualThreadScheduler.parallelism=" + parallelism);
        }

        Launch agent(String options) {
            return vm("-javaagent:" + agentJar() + "=" + options);
        }

        /** The agent with a free port and without a report at exit. */
        Launch agent() {
            return agent("port=0,report=off");
        }

        Launch env(String name, String value) {
            environment.put(name, value);
            return this;
        }

        Launch classPath(Path... entries) {
            classPath.addAll(Arrays.asList(entries));
            return this;
        }

        /** Instead of that of the workloads. */
        Launch onlyClassPath(Path... entries) {
            classPath.clear();
            return classPath(entries);
        }

        ForkedJvm main(Class<?> main, Object... arguments) {
            return main(main.getName(), arguments);
        }

        ForkedJvm main(String main, Object... arguments) {
            List<Object> commandLine =
                    new ArrayList<>(
                            List.of(
                                    "-cp",
                                    String.join(
                                            File.pathSeparator,
                                            classPath.stream().map(Path::toString).toList()),
                                    main));
            commandLine.addAll(Arrays.asList(arguments));
            return java(commandLine.toArray());
        }

        /**
         * Starts a program otherwise than from a class path: {@code commandLine} is all that
         * follows the options of the VM.
         */
        ForkedJvm java(Object... commandLine) {
            List<String> command = new ArrayList<>(shell);
            command.add(home.resolve("bin").resolve("java").toString());
            command.addAll(vmOptions);
            for (Object argument : commandLine) {
                command.add(argument.toString());
            }
            ProcessBuilder builder = new ProcessBuilder(command);
            // neither options of the agent nor of the JVM come from where the build happens to run
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("VTAGENT_") || name.endsWith("_OPTIONS"));
            builder.environment().putAll(environment);
            return new ForkedJvm(builder);
        }
    }

    long pid() {
        return process.pid();
    }

    /** The first line on stdout that is {@code line}, now or later. */
    ForkedJvm awaitLine(String line) {
        awaitIn(stdout, line::equals, "\"" + line + "\" on stdout");
        return this;
    }

    /**
     * Waits until the workload prints {@code done}, after which it does nothing except wait for
     * {@link #proceed}.
     */
    ForkedJvm awaitDone() {
        return awaitLine("done");
    }

    /** The first line on stdout that {@code wanted} accepts, now or later. */
    String awaitStdout(Predicate<String> wanted) {
        return awaitIn(stdout, wanted, "a line on stdout");
    }

    /** The first line on stderr that {@code wanted} accepts, now or later. */
    String awaitStderr(Predicate<String> wanted) {
        return awaitIn(stderr, wanted, "a line on stderr");
    }

    /**
     * The {@code number}th line on stderr that {@code wanted} accepts, counted from 1, now or
     * later.
     */
    String awaitStderr(int number, Predicate<String> wanted) {
        awaitStderr(wanted);
        await("line " + number + " of its kind on stderr")
                .atMost(LIMIT)
                .until(
                        () ->
                                stderr.soFar().stream().filter(wanted).count() >= number
                                        || !process.isAlive());
        return stderr.soFar().stream()
                .filter(wanted)
                .skip(number - 1)
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("it ended without line " + number + "\n" + this));
    }

    private String awaitIn(OutputLines lines, Predicate<String> wanted, String what) {
        String found = lines.await(wanted, LIMIT);
        if (found != null) {
            return found;
        }
        if (!lines.isOpen()) {
            throw new AssertionError("it ended without " + what + "\n" + this);
        }
        dumpThreads();
        close(); // a caller that waits while it starts has nothing to close yet
        throw new AssertionError("there was not within " + LIMIT + " " + what + "\n" + this);
    }

    /** Returns a finding of the workload: the value of its line {@code key=value}. */
    String fact(String key) {
        String line =
                awaitIn(
                        stdout,
                        candidate -> candidate.startsWith(key + "="),
                        key + "=... on stdout");
        return line.substring(key.length() + 1);
    }

    double number(String key) {
        return Double.parseDouble(fact(key));
    }

    /** Writes an empty line to stdin. */
    ForkedJvm proceed() {
        return send("");
    }

    /** Writes {@code line} to stdin. */
    ForkedJvm send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return this;
        } catch (IOException ended) {
            throw new AssertionError("it has ended\n" + this, ended);
        }
    }

    /** The agent's endpoint, as soon as it answers. */
    Endpoint endpoint() {
        return endpoint(1);
    }

    /** That of the agent that came as the {@code number}th, counted from 1. */
    Endpoint endpoint(int number) {
        Matcher matcher =
                ENDPOINT.matcher(awaitStderr(number, line -> ENDPOINT.matcher(line).matches()));
        if (!matcher.matches()) {
            throw new IllegalStateException();
        }
        Endpoint endpoint = new Endpoint(URI.create(matcher.group(1)));
        await("the endpoint").atMost(LIMIT).until(() -> endpoint.isUp() || !process.isAlive());
        return endpoint;
    }

    Metrics metrics() {
        return endpoint().metrics();
    }

    /** The metrics as soon as they are as {@code wanted}, for what comes late. */
    Metrics awaitMetrics(Predicate<Metrics> wanted) {
        Endpoint endpoint = endpoint();
        return await("metrics as expected").atMost(LIMIT).until(endpoint::metrics, wanted);
    }

    /** Waits until the agent has run for that long, for what must not have happened by then. */
    ForkedJvm awaitUptime(double nanos) {
        Endpoint endpoint = endpoint();
        await("the agent's uptime")
                .atMost(LIMIT)
                .until(() -> endpoint.report().get("uptimeNanos").number() >= nanos);
        return this;
    }

    /** Waits until the agent has begun, which may be after the application's first threads. */
    ForkedJvm awaitBegun() {
        awaitStderr(line -> line.matches("\\[vt-agent] \\S+ on JDK .*"));
        return this;
    }

    /**
     * Waits until the agent, with {@code log=debug}, has used all that it needs for its pages,
     * which takes classes and memory.
     */
    ForkedJvm awaitWarmUp() {
        awaitStderr(line -> line.contains("each page was made once"));
        return this;
    }

    /** Waits until the agent's sensor {@code label} works. */
    ForkedJvm awaitSensor(String label) {
        awaitMetrics(metrics -> metrics.sum("vthread_agent_sensor_up", "sensor", label) == 1);
        return this;
    }

    /** Makes the JVM print the stacks of its threads to stdout, to show why it did not go on. */
    private void dumpThreads() {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
            stdout.await(line -> line.startsWith("JNI global refs"), Duration.ofSeconds(5));
        } catch (IOException noSuchCommand) {
            // without, then
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks it to end, with SIGTERM alone, and gives the exit code. */
    int terminate() {
        process.toHandle().destroy(); // the process itself would close its streams, too
        return awaitEnd();
    }

    /** Closes stdin and gives the exit code, when all output has been read. */
    int end() {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // as it should
        }
        return awaitEnd();
    }

    private int awaitEnd() {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                dumpThreads();
                throw new AssertionError("it did not end within " + LIMIT + "\n" + this);
            }
            stdout.awaitEnd(LIMIT);
            stderr.awaitEnd(LIMIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        return process.exitValue();
    }

    List<String> stdout() {
        return stdout.soFar();
    }

    /**
     * Without the line that the agent adds where its sensors could not be proved within the second
     * before the first line.
     */
    List<String> stderr() {
        return stderr.soFar().stream().filter(line -> !line.startsWith(PROVED_LATER)).toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return command
                + "\n--- stdout\n"
                + String.join("\n", stdout())
                + "\n--- stderr\n"
                + String.join("\n", stderr());
    }
}
