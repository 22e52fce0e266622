package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Prometheus of this machine, and {@code promtool}, which comes with it. */
final class Prometheus implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final Path log;
    private final URI base;

    private Prometheus(Process process, Path log, URI base) {
        this.process = process;
        this.log = log;
        this.base = base;
    }

    /** One with that configuration, which leaves all that it writes in {@code folder}. */
    static Prometheus start(Path configuration, Path folder) throws IOException {
        String address = "127.0.0.1:" + freePort();
        Path log = folder.resolve("prometheus.log");
        Process process =
                run(
                        folder,
                        log,
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=" + address);
        return new Prometheus(process, log, URI.create("http://" + address));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Runs {@code promtool} in {@code folder}, and fails with what it printed if it does. */
    static void promtool(Path folder, String... arguments)
            throws IOException, InterruptedException {
        Path log = folder.resolve("promtool.log");
        String[] command =
                Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toArray(String[]::new);
        Process tool = run(folder, log, command);
        if (!tool.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || tool.exitValue() != 0) {
            tool.destroyForcibly();
            throw new AssertionError(String.join(" ", command) + "\n" + Files.readString(log));
        }
    }

    private static Process run(Path folder, Path log, String... command) {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException missing) {
            throw new IllegalStateException(
                    "this test needs " + command[0] + ": apt-get install prometheus", missing);
        }
    }

    void awaitReady() {
        await("Prometheus").atMost(LIMIT).until(this::isReady);
    }

    private boolean isReady() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("Prometheus has ended:\n" + Files.readString(log));
        }
        try {
            return send("/-/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * The result of an expression at this moment: a list of samples, each with {@code metric} and
     * {@code value}.
     */
    List<Json> query(String expression) {
        return data("/api/v1/query?query=" + encoded(expression)).get("result").list();
    }

    /** The values of the label {@code name} among the series of {@code selector}. */
    List<String> labelValues(String name, String selector) {
        return data(
                        "/api/v1/label/"
                                + name
                                + "/values?match[]=".replace("[]", "%5B%5D")
                                + encoded(selector))
                .list()
                .stream()
                .map(Json::string)
                .toList();
    }

    private Json data(String path) {
        try {
            HttpResponse<String> answer = send(path);
            if (answer.statusCode() != 200) {
                throw new AssertionError(path + ": " + answer.body());
            }
            return Json.parse(answer.body()).get("data");
        } catch (IOException failed) {
            throw new AssertionError(path, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT).build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
