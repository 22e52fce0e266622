package io.vtagent.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.exporter.http.Content.Page;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that are slow, huge, many, or send garbage: a well-behaved client is answered, within
 * bounds.
 */
@Timeout(120)
class HostileClientsTest {
    private static final int MORE_THAN_PLACES = 3 * Endpoint.PLACES;
    private static final Page HUGE = new Page("text/plain; charset=utf-8", "x".repeat(32 << 20));

    private final AtomicInteger pages = new AtomicInteger();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger mostPages = new AtomicInteger();
    private final List<RawClient> clients = new ArrayList<>();
    private InetSocketAddress address = new InetSocketAddress(0);
    private @Nullable Endpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        ServerSocket listener =
                new ServerSocket(0, 2 * MORE_THAN_PLACES, InetAddress.getLoopbackAddress());
        address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        endpoint =
                new Endpoint(
                        listener,
                        null,
                        Map.of(
                                "/",
                                Route.guarded(query -> new Page("text/plain", "a page\n")),
                                "/huge",
                                Route.guarded(query -> HUGE),
                                "/slow",
                                Route.guarded(this::slow)));
    }

    @AfterEach
    void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        if (endpoint != null) {
            endpoint.close();
        }
    }

    @Test
    void halfOpenRequestsGiveWayToOneThatIsWhole() throws IOException {
        open("GET / HTTP/1.1\r\nHost: local", MORE_THAN_PLACES);

        assertAnswers();
        assertThat(threads()).hasSizeLessThanOrEqualTo(Endpoint.PLACES + 1);
    }

    @Test
    void connectionsThatAreSilentGiveWayToOneThatIsNot() throws IOException {
        open("", MORE_THAN_PLACES);

        assertAnswers();
    }

    @Test
    void aClientThatDoesNotReadTheAnswerGivesWayToOneThatDoes() throws IOException {
        open("GET /huge HTTP/1.1\r\nHost: localhost\r\n\r\n", MORE_THAN_PLACES);

        assertAnswers();
    }

    @Test
    void aClientThatDoesNotCloseAfterTheAnswerGivesWayToOneThatAsks() throws IOException {
        open("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", MORE_THAN_PLACES);

        assertAnswers();
    }

    @Test
    void aHeadThatComesByteByByteIsCutOffAlsoIfNobodyElseWaits() throws IOException {
        long beganNanos = System.nanoTime();
        RawClient silent = client();
        RawClient dripping = client();
        dripping.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isRefused(dripping, "x"));
        assertThat(System.nanoTime() - beganNanos)
                .isGreaterThanOrEqualTo(Exchange.READ_LIMIT_NANOS);
        silent.awaitClosed();
        assertAnswers();
    }

    @Test
    void aHeadWithoutAnEndIsRefused() throws IOException {
        String start = "GET / HTTP/1.1\r\nHost: localhost\r\n";
        for (String head :
                List.of(
                        start + "X-Long: " + "x".repeat(Exchange.MAX_HEAD_BYTES),
                        start + "X-Many: x\r\n".repeat(101),
                        "GET /" + "x".repeat(Exchange.MAX_HEAD_BYTES),
                        "x".repeat(Exchange.MAX_HEAD_BYTES + 1))) {
            assertThat(RawClient.ask(address, head)).startsWith("HTTP/1.1 431 ");
        }
        assertAnswers();
    }

    @Test
    void ofPipelinedRequestsTheFirstIsAnswered() throws IOException {
        String request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

        String answer = RawClient.ask(address, request.repeat(1000));

        assertThat(
                        Pattern.compile("HTTP/1.1 200 OK")
                                .matcher(answer)
                                .results()
                                .map(MatchResult::group))
                .hasSize(1);
        assertAnswers();
    }

    @Test
    void garbageOfAllKindsIsSurvived() throws IOException {
        Random random = new Random(42);
        for (int i = 0; i < 200; i++) {
            StringBuilder garbage = new StringBuilder();
            for (int length = random.nextInt(2000); length > 0; length--) {
                garbage.append(
                        (char)
                                (random.nextInt(4) == 0
                                        ? "\r\n: /".charAt(random.nextInt(5))
                                        : random.nextInt(256)));
            }
            try (RawClient client = new RawClient(address)) {
                client.send(garbage + "\r\n\r\n");
            } catch (SocketException closedAlready) {
                // as it may
            }
        }
        assertAnswers();
    }

    @Test
    void noMoreThanTwoPagesAreMadeAtATime() throws IOException {
        open("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n", 10);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> pages.get() > 2 || (pages.get() == 2 && isWaitedForATurn()));
        mayEnd.countDown();

        for (RawClient client : clients) {
            assertThat(client.readAll()).startsWith("HTTP/1.1 200 ");
        }
        assertThat(mostPages).hasValue(2);
    }

    private Page slow(Query query) {
        mostPages.accumulateAndGet(pages.incrementAndGet(), Math::max);
        try {
            mayEnd.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            pages.decrementAndGet();
        }
        return new Page("text/plain", "slow\n");
    }

    private static boolean isRefused(RawClient client, String text) throws IOException {
        try {
            client.send(text);
            return false;
        } catch (SocketException closed) {
            return true;
        }
    }

    private void open(String text, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            client().send(text);
        }
    }

    private RawClient client() throws IOException {
        RawClient client = new RawClient(address);
        clients.add(client);
        return client;
    }

    private void assertAnswers() throws IOException {
        assertThat(RawClient.get(address, "/")).startsWith("HTTP/1.1 200 ").endsWith("a page\n");
    }

    /**
     * Returns whether a thread of the endpoint has to wait before it makes a page that was
     * requested.
     */
    private static boolean isWaitedForATurn() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(
                        thread ->
                                thread.getKey().getState() == Thread.State.TIMED_WAITING
                                        && contains(
                                                thread.getValue(), Semaphore.class, "tryAcquire")
                                        && contains(thread.getValue(), Pages.class, "answer"));
    }

    private static boolean contains(StackTraceElement[] stack, Class<?> type, String method) {
        return Arrays.stream(stack)
                .anyMatch(
                        frame ->
                                frame.getClassName().equals(type.getName())
                                        && frame.getMethodName().equals(method));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("vt-agent-http-"))
                .toList();
    }
}
