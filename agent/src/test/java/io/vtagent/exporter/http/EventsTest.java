package io.vtagent.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.exporter.http.Content.Page;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Server-sent events. */
@Timeout(120)
class EventsTest {
    private static final int MAX_READERS = 4;

    /** The next events, for the first caller. */
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final List<RawClient> readers = new ArrayList<>();
    private InetSocketAddress address = new InetSocketAddress(0);
    private @Nullable Endpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        endpoint =
                new Endpoint(
                        listener,
                        "s3cret",
                        Map.of(
                                "/metrics",
                                Route.open(query -> new Page("text/plain", "a page\n")),
                                "/live",
                                Route.open(query -> new Content.Events(this::next)),
                                "/failing",
                                Route.open(
                                        query ->
                                                new Content.Events(
                                                        () -> {
                                                            throw new IllegalStateException(
                                                                    "no event");
                                                        })),
                                "/guarded",
                                Route.guarded(query -> new Content.Events(this::next))));
    }

    @AfterEach
    void close() throws IOException {
        Objects.requireNonNull(endpoint).close();
        for (RawClient reader : readers) {
            reader.close();
        }
    }

    @Test
    void eachEventIsSentAtOnceWithItsLinesMarkedAsData() throws IOException {
        events.add("{\"a\":1}");
        RawClient reader = read("/live");

        assertThat(reader.readUntil("\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("\r\nContent-Type: text/event-stream; charset=utf-8\r\n")
                .contains("\r\nCache-Control: no-store\r\n")
                .doesNotContain("Content-Length", "Transfer-Encoding", "Content-Encoding");
        assertThat(reader.readUntil("\n\n")).isEqualTo("data: {\"a\":1}\n\n");
        events.add("two\nlines");
        assertThat(afterComments(reader)).isEqualTo("data: two\ndata: lines\n\n");
    }

    @Test
    void whileThereIsNoneACommentShowsThatSomebodyIsThere() throws IOException {
        RawClient reader = read("/live");

        reader.readUntil("\r\n\r\n");
        assertThat(reader.readUntil("\n\n")).isEqualTo(":\n\n");
        assertThat(reader.readUntil("\n\n")).isEqualTo(":\n\n");
    }

    @Test
    void fourMayReadAndAFifthIsRefusedWhileAScrapeIsAnswered() throws IOException {
        readByAll();

        assertThat(RawClient.get(address, "/live"))
                .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                .contains("\r\nRetry-After: ")
                .endsWith("\r\n\r\n4 clients already read events\n");
        for (int i = 0; i < Endpoint.PLACES; i++) {
            assertThat(RawClient.get(address, "/metrics")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aReaderThatGoesAwayFreesItsPlace() throws IOException {
        readByAll();

        readers.getFirst().close();

        await().atMost(Duration.ofMinutes(1)).until(() -> isRead("/live"));
    }

    @Test
    void aFeedThatFailsEndsTheConnectionAndFreesThePlace() throws IOException {
        for (int i = 0; i < 3 * MAX_READERS; i++) {
            assertThat(RawClient.get(address, "/failing")).startsWith("HTTP/1.1 200 ");
        }

        await().atMost(Duration.ofMinutes(1)).until(() -> isRead("/live"));
    }

    @Test
    void headHasNoEventsAndTakesNoPlace() throws IOException {
        for (int i = 0; i < 2 * MAX_READERS; i++) {
            assertThat(RawClient.ask(address, "HEAD /live HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void eventsNeedTheTokenAsPagesDo() throws IOException {
        assertThat(RawClient.get(address, "/guarded")).startsWith("HTTP/1.1 401 ");
        assertThat(read("/guarded", "Authorization: Bearer s3cret").readUntil("\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void theWarmUpDoesNotWaitForTheEnd() throws IOException {
        events.add("x".repeat(2_000));
        events.add("x".repeat(2_000));

        Objects.requireNonNull(endpoint).warmUp();
    }

    /** Returns when all have got an event, so that they have their places. */
    private void readByAll() throws IOException {
        for (int i = 0; i < MAX_READERS; i++) {
            assertThat(read("/live").readUntil("\n\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    private boolean isRead(String path) throws IOException {
        return read(path).readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 ");
    }

    private RawClient read(String path, String... headers) throws IOException {
        RawClient reader = new RawClient(address);
        readers.add(reader);
        return reader.send(
                "GET "
                        + path
                        + " HTTP/1.1\r\nHost: localhost\r\n"
                        + String.join("\r\n", headers)
                        + (headers.length == 0 ? "\r\n" : "\r\n\r\n"));
    }

    private static String afterComments(RawClient reader) throws IOException {
        String event = reader.readUntil("\n\n");
        while (event.equals(":\n\n")) {
            event = reader.readUntil("\n\n");
        }
        return event;
    }

    private @Nullable String next() {
        try {
            return events.poll(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            return null;
        }
    }
}
