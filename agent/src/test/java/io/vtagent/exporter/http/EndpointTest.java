package io.vtagent.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.exporter.http.Content.Page;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to single requests. */
class EndpointTest {
    private static final Page PAGE = new Page("text/plain; charset=utf-8", "a page\n");
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private @Nullable Endpoint endpoint;

    @AfterEach
    void close() throws IOException {
        if (endpoint != null) {
            endpoint.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/metrics", "/metrics?x=1&y=%20", "http://localhost:21491/metrics"})
    void aPageIsAnsweredByItsPath(String path) throws IOException {
        assertThat(RawClient.get(start(null), path))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\na page\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void theWarmUpMakesEachPageOnce(String address) throws IOException {
        List<String> asked = new ArrayList<>();
        start(
                InetAddress.getByName(address),
                "s3cret",
                query -> {
                    asked.add("a page");
                    return PAGE;
                });
        Objects.requireNonNull(endpoint).warmUp();

        assertThat(asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics/", "/../metrics", "*", "/a|b", "/healthz/x", "metrics"})
    void anythingElseIsNotFound(String path) throws IOException {
        assertThat(RawClient.get(start(null), path)).startsWith("HTTP/1.1 404 Not Found\r\n");
    }

    @Test
    void headIsAnsweredAsGetButForTheBody() throws IOException {
        String answer =
                RawClient.ask(start(null), "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Length: 7\r\n")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "BREW"
            })
    void otherMethodsAreNotAllowedAndTheirBodyIsNotAwaited(String method) throws IOException {
        assertThat(
                        RawClient.ask(
                                start(null),
                                method
                                        + " /metrics HTTP/1.1\r\n"
                                        + "Host: localhost\r\n"
                                        + "Content-Length: 99999\r\n\r\n"
                                        + "x"))
                .startsWith("HTTP/1.1 405 Method Not Allowed\r\n")
                .contains("\r\nAllow: GET, HEAD\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /metrics HTTP/1.1, 400",
        "GET /metrics HTTP/1.1|Host: localhost|Host: localhost, 400",
        "GET /metrics HTTP/1.1|Host localhost, 400",
        "GET /metrics, 400",
        "GET, 400",
        "nonsense, 400",
        "GET /met rics HTTP/1.1|Host: localhost, 400",
        "GET /metrics XTTP/1.1|Host: localhost, 400",
        "GET /metrics HTTP/1.x|Host: localhost, 400",
        "GET /metrics HTTP/2.0|Host: localhost, 505",
        "GET /metrics HTTP/1.0, 200",
        "GET /metrics HTTP/1.1|Host: localhost|Transfer-Encoding: nonsense, 200",
        "GET /metrics HTTP/1.1|Host: localhost|Expect: 100-continue|Content-Length: -5, 200",
    })
    void whatIsMalformedIsRefused(String request, int status) throws IOException {
        assertThat(RawClient.ask(start(null), request.replace("|", "\r\n") + "\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status + " ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:21491",
                "localhost.",
                "127.0.0.1",
                "127.8.8.8:1",
                "[::1]:21491",
                "[0:0:0:0:0:0:0:1]"
            })
    void onALoopbackAddressARequestMayNameThisMachine(String host) throws IOException {
        assertThat(withHost(start(null), host)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attacker.example",
                "attacker.example:21491",
                "127.attacker.example",
                "127.0.0.1.attacker.example",
                "localhost.attacker.example",
                "localhost@attacker.example",
                "attacker.example#localhost",
                "10.0.0.1",
                "[::2]",
                "null",
            })
    void onALoopbackAddressARequestForAnotherHostIsRefused(String host) throws IOException {
        assertThat(withHost(start(null), host))
                .startsWith("HTTP/1.1 421 Misdirected Request\r\n")
                .doesNotContain("a page", "attacker");
    }

    @Test
    void onALoopbackAddressAForeignNameInTheTargetIsRefusedWhateverTheHostHeader()
            throws IOException {
        InetSocketAddress address = start(null);

        assertThat(RawClient.get(address, "http://attacker.example/metrics"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(RawClient.get(address, "//attacker.example/metrics"))
                .startsWith("HTTP/1.1 421 ");
    }

    @Test
    void theNameThatItWasBoundAsIsOneOfThisMachine() throws IOException {
        InetAddress named = InetAddress.getByAddress("service.test", new byte[] {127, 0, 0, 1});
        InetSocketAddress address = start(named, null, query -> PAGE);

        assertThat(withHost(address, "service.test:80")).startsWith("HTTP/1.1 200 ");
        assertThat(withHost(address, "serviceXtest")).startsWith("HTTP/1.1 421 ");
    }

    @Test
    void onAnAddressThatOthersReachAnyHostIsAnswered() throws IOException {
        InetSocketAddress any = start(InetAddress.getByAddress(new byte[4]), null, query -> PAGE);
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), any.getPort());

        assertThat(withHost(address, "service.example")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void everyAnswerForbidsWhatABrowserCouldDoWithItAndNamesNoServer() throws IOException {
        InetSocketAddress address = start("s3cret");
        for (String answer :
                new String[] {
                    RawClient.get(address, "/metrics", "Authorization: Bearer s3cret"),
                    RawClient.get(address, "/metrics"),
                    RawClient.get(address, "/healthz"),
                    withHost(address, "attacker.example"),
                    RawClient.ask(address, "nonsense\r\n\r\n")
                }) {
            assertThat(answer)
                    .contains("\r\nConnection: close\r\n")
                    .contains("\r\nCache-Control: no-store\r\n")
                    .contains("\r\nX-Content-Type-Options: nosniff\r\n")
                    .contains("\r\nX-Frame-Options: DENY\r\n")
                    .contains("\r\nReferrer-Policy: no-referrer\r\n")
                    .contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n")
                    .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n")
                    .contains("\r\nCross-Origin-Embedder-Policy: require-corp\r\n")
                    .contains(
                            "\r\nPermissions-Policy: geolocation=(), camera=(), microphone=()\r\n")
                    .contains("\r\nContent-Security-Policy: default-src 'none'; ")
                    .contains("frame-ancestors 'none'", "script-src 'self'", "style-src 'self'")
                    .contains("\r\nVary: Accept, Accept-Encoding\r\n")
                    .doesNotContain(
                            "\r\nServer:", "Access-Control-Allow", "s3cret", "unsafe-inline");
        }
    }

    @Test
    void aClientWithTheTokenIsAnswered() throws IOException {
        InetSocketAddress address = start("s3cret");

        assertThat(RawClient.get(address, "/metrics", "Authorization: Bearer s3cret"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(RawClient.get(address, "/metrics", "authorization: bearer  s3cret "))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Nothing: here",
                "Authorization: Bearer s3cre",
                "Authorization: Bearer s3crett",
                "Authorization: Bearer S3CRET",
                "Authorization: Bearer",
                "Authorization: s3cret",
                "Authorization: Basic s3cret",
                "Authorization:",
                "Authorization: Bearer s3cret\r\nAuthorization: Bearer s3cret",
                "Cookie: Authorization=Bearer s3cret",
            })
    void aClientWithoutTheTokenDoesNotEvenLearnWhichPathsThereAre(String header)
            throws IOException {
        InetSocketAddress address = start("s3cret");

        for (String path : new String[] {"/", "/metrics", "/no/such/path"}) {
            assertThat(RawClient.get(address, path, header))
                    .startsWith("HTTP/1.1 401 Unauthorized\r\n")
                    .contains("\r\nWWW-Authenticate: Bearer realm=\"vt-agent\"\r\n")
                    .doesNotContain("a page", "s3cret");
        }
    }

    @Test
    void theHealthOfTheAgentIsReportedWithoutTheToken() throws IOException {
        assertThat(RawClient.get(start("s3cret"), "/healthz"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\nok\n");
    }

    @Test
    void aPageThatFailsIsA500AndTheNextIsAnswered() throws IOException {
        Throwable[] failures = {
            new IllegalStateException("secret detail"),
            new OutOfMemoryError(),
            new StackOverflowError(),
            new LinkageError()
        };
        int[] next = {0};
        InetSocketAddress address =
                start(
                        null,
                        query -> {
                            if (next[0] < failures.length) {
                                throw EndpointTest.<RuntimeException>sneaky(failures[next[0]++]);
                            }
                            return PAGE;
                        });

        for (Throwable failure : failures) {
            assertThat(RawClient.get(address, "/metrics"))
                    .startsWith("HTTP/1.1 500 Internal Server Error\r\n")
                    .contains(failure.getClass().getName())
                    .doesNotContain("secret detail");
        }
        assertThat(RawClient.get(address, "/metrics")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aPageRunsOnAThreadThatHasNothingOfTheApplication() throws Exception {
        CompletableFuture<Thread> asked = new CompletableFuture<>();
        CompletableFuture<String> inherited = new CompletableFuture<>();
        Thread starting =
                Thread.ofPlatform()
                        .unstarted(
                                () -> {
                                    INHERITED.set("of the application");
                                    Thread.currentThread()
                                            .setContextClassLoader(new ClassLoader() {});
                                    try {
                                        InetSocketAddress address =
                                                start(
                                                        null,
                                                        query -> {
                                                            asked.complete(Thread.currentThread());
                                                            inherited.complete(
                                                                    String.valueOf(
                                                                            INHERITED.get()));
                                                            return new Page(
                                                                    "text/plain",
                                                                    String.valueOf(
                                                                            Thread.currentThread()
                                                                                    .getContextClassLoader()));
                                                        });
                                        assertThat(RawClient.get(address, "/"))
                                                .endsWith(
                                                        "\r\n\r\n"
                                                                + Endpoint.class.getClassLoader());
                                    } catch (IOException failed) {
                                        asked.completeExceptionally(failed);
                                    }
                                });
        starting.start();
        starting.join();

        Thread thread = asked.get();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.getName()).matches("vt-agent-http-\\d+");
        assertThat(inherited.get()).isEqualTo("null");
        // a thread without a handler of its own would have its group
        assertThat(thread.getUncaughtExceptionHandler()).isNotSameAs(thread.getThreadGroup());
    }

    private static String withHost(InetSocketAddress address, String host) throws IOException {
        return RawClient.ask(address, "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    private InetSocketAddress start(@Nullable String token) throws IOException {
        return start(InetAddress.getLoopbackAddress(), token, query -> PAGE);
    }

    private InetSocketAddress start(@Nullable String token, Function<Query, Content> page)
            throws IOException {
        return start(InetAddress.getLoopbackAddress(), token, page);
    }

    @SuppressWarnings("resource") // the endpoint closes it
    private InetSocketAddress start(
            InetAddress bind, @Nullable String token, Function<Query, Content> page)
            throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, bind);
        endpoint =
                new Endpoint(
                        listener,
                        token,
                        Map.of("/", Route.guarded(page), "/metrics", Route.guarded(page)));
        return new InetSocketAddress(bind, listener.getLocalPort());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }
}
