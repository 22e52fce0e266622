package io.vtagent.demo.launch;

import io.vtagent.demo.model.Result;
import io.vtagent.demo.text.Json;
import io.vtagent.demo.text.PrometheusText;
import io.vtagent.demo.text.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs a case under the agent. It lives until its standard input is closed, and so never
 * longer than this one, however this one ends; a shutdown hook is only there to make it quick.
 */
final class ChildJvm implements AutoCloseable {

    private static final Pattern ENDPOINT =
            Pattern.compile("\\[vt-agent].*?(http://\\S+?/metrics)\\b.*");
    private static final int SCRAPE_LIMIT_MILLIS = 10_000;
    private static final int BETWEEN_SCRAPES_MILLIS = 50;
    private static final int END_LIMIT_SECONDS = 20;

    private final Run run;
    private final Process process;
    private final Duration limit;
    private final BufferedReader output;
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final Thread errorReader;
    private final Thread killer;
    private volatile @Nullable URI endpoint;
    private volatile boolean late;
    private volatile boolean agentStaysOut;

    ChildJvm(Run run, Process process, Duration limit) {
        this.run = run;
        this.process = process;
        this.limit = limit;
        killer = new Thread(process::destroyForcibly, "kill-" + run);
        Runtime.getRuntime().addShutdownHook(killer);
        output = process.inputReader();
        errorReader = Thread.ofPlatform().daemon().name("stderr-of-" + run).start(this::readErrors);
    }

    private void readErrors() {
        process.errorReader()
                .lines()
                .forEach(
                        line -> {
                            errors.add(line);
                            endpointIn(line).ifPresent(found -> endpoint = found);
                            agentStaysOut |= staysOut(line);
                        });
    }

    /** The endpoint that the agent names in the line that it prints when it starts. */
    static Optional<URI> endpointIn(String line) {
        Matcher matcher = ENDPOINT.matcher(line);
        return matcher.matches() ? Optional.of(URI.create(matcher.group(1))) : Optional.empty();
    }

    /** Whether {@code line} is the agent's, which does not measure pins that the JDK prints. */
    static boolean staysOut(String line) {
        return line.startsWith("[vt-agent] ")
                && line.contains("tracePinnedThreads")
                && line.endsWith("runs without the agent");
    }

    /**
     * Returns whether the agent has reported, before the case began, that it stays out of this JVM.
     */
    boolean agentStaysOut() {
        return agentStaysOut;
    }

    /** Waits for the next result. */
    Result result() throws LaunchException, IOException, InterruptedException {
        CompletableFuture<Void> inTime = new CompletableFuture<>();
        Executor afterLimit =
                CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
        afterLimit.execute(
                () -> {
                    if (!inTime.isDone()) {
                        late = true;
                        process.destroyForcibly();
                    }
                });
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                Optional<Result> result = Result.parse(line);
                if (result.isPresent()) {
                    return result.get();
                }
            }
        } finally {
            inTime.complete(null);
        }
        throw failure(
                late
                        ? "gave no result within " + limit.toSeconds() + " s"
                        : "ended with exit code " + exitCode());
    }

    /** Returns the address of the agent's meters, which the agent prints before the case begins. */
    URI endpoint() throws LaunchException, InterruptedException {
        URI found = endpoint;
        if (found == null) {
            throw failure("ran without an endpoint of the agent");
        }
        return found;
    }

    /**
     * Reads the agent's meters. A short run can be over before the agent, which lets it go first,
     * has its endpoint up.
     */
    List<Sample> scrape() throws LaunchException, InterruptedException {
        URI metrics = endpoint();
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SCRAPE_LIMIT_MILLIS);
        while (true) {
            try {
                return PrometheusText.parse(read(metrics));
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
                    throw failure("did not answer at " + metrics + " (" + e + ")");
                }
                Thread.sleep(BETWEEN_SCRAPES_MILLIS);
            } catch (IllegalArgumentException e) {
                throw failure("answered at " + metrics + " otherwise: " + e.getMessage());
            }
        }
    }

    /** Returns the agent's answer to why virtual threads were slow. */
    String answer() throws LaunchException, InterruptedException {
        URI report = endpoint().resolve("/api/report?stacks=off");
        try {
            return Json.parse(read(report)).get("answer").get("text").string();
        } catch (IOException | IllegalArgumentException e) {
            throw failure("gave no answer at " + report + " (" + e + ")");
        }
    }

    private static String read(URI uri) throws IOException {
        URLConnection connection = uri.toURL().openConnection();
        connection.setConnectTimeout(SCRAPE_LIMIT_MILLIS);
        connection.setReadTimeout(SCRAPE_LIMIT_MILLIS);
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Ends the JVM, whose output is complete. */
    void end() throws LaunchException, IOException, InterruptedException {
        process.getOutputStream().close();
        int exitCode = exitCode();
        if (exitCode != 0) {
            throw failure("ended with exit code " + exitCode);
        }
    }

    private int exitCode() throws InterruptedException {
        if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    private LaunchException failure(String what) throws InterruptedException {
        process.destroyForcibly();
        errorReader.join(Duration.ofSeconds(1));
        return new LaunchException(
                "%s %s%n%s"
                        .formatted(run, what, String.join(System.lineSeparator(), errors))
                        .strip());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // This JVM is ending, and the hook runs.
        }
    }
}
