package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** An application that serves: some hundred requests to it, among them a known number that pin. */
final class ServedApplication {
    /** How many requests each of {@code /park} and {@code /wait} gets after the first ones. */
    static final int PINS = 40;

    private static final int FREE = 300;
    private static final int AT_ONCE = 4;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern LISTENING =
            Pattern.compile("listening=(\\d+)|.*Listening on: http://[^:]*:(\\d+)");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI base;
    private final String context;
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private long requests;

    /**
     * Waits until {@code jvm} listens, and asks it for what the first request of a kind brings up.
     */
    ServedApplication(ForkedJvm jvm) {
        this(jvm, "");
    }

    /**
     * @param context the path of the application
     */
    ServedApplication(ForkedJvm jvm, String context) {
        this.context = context;
        Matcher matcher =
                LISTENING.matcher(jvm.awaitStdout(line -> LISTENING.matcher(line).matches()));
        if (!matcher.matches()) {
            throw new IllegalStateException();
        }
        String port = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        base = URI.create("http://127.0.0.1:" + port);
        ask("/free", 20);
        ask("/park", 1);
        ask("/wait", 1);
    }

    /** The requests that count. */
    void serve() {
        ask("/free", FREE);
        ask("/park", PINS);
        ask("/wait", PINS);
        for (int i = 0; i < 4; i++) {
            ask("/init" + i, 1);
        }
    }

    /**
     * Serves, and checks that every pin is counted and, sooner or later, by which code: the first
     * stacks of a JVM are slow to read.
     */
    void serveAndCount(ForkedJvm jvm, Jdk jdk) {
        Metrics before = jvm.metrics();
        serve();
        KnownPins.areCounted(jvm.metrics().since(before), jdk, PINS);
        jvm.awaitMetrics(
                metrics -> {
                    boolean named = KnownPins.areNamed(metrics, jdk);
                    if (!named) {
                        ask("/park", AT_ONCE);
                        ask("/wait", AT_ONCE);
                    }
                    return named;
                });
    }

    /** How many requests it has got. */
    long requests() {
        return requests;
    }

    private void ask(String path, int times) {
        requests += times;
        List<CompletableFuture<HttpResponse<String>>> answers =
                IntStream.range(0, times).mapToObj(number -> ask(path)).toList();
        answers.forEach(
                answer ->
                        assertThat(answer.join().body()).isEqualTo(path + " on a virtual thread"));
    }

    private CompletableFuture<HttpResponse<String>> ask(String path) {
        turns.acquireUninterruptibly();
        return CLIENT.sendAsync(request(context + path), BodyHandlers.ofString())
                .whenComplete((answer, failure) -> turns.release());
    }

    /** The answer to anything else. */
    String get(String path) {
        try {
            return CLIENT.send(request(path), BodyHandlers.ofString()).body();
        } catch (IOException failed) {
            throw new AssertionError("no answer to " + path, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT).build();
    }
}
