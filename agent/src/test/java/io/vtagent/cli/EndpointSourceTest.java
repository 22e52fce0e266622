package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.vtagent.options.Token;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EndpointSourceTest {
    private final List<String> asked = new ArrayList<>();
    private int status = 200;
    private String body = "{}";
    private HttpServer server = start();

    private HttpServer start() {
        try {
            HttpServer started =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            started.createContext(
                    "/",
                    exchange -> {
                        asked.add(
                                exchange.getRequestURI()
                                        + " "
                                        + exchange.getRequestHeaders().getFirst("Authorization"));
                        exchange.getResponseHeaders().set("Location", "/elsewhere");
                        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(status, bytes.length);
                        exchange.getResponseBody().write(bytes);
                        exchange.close();
                    });
            started.start();
            return started;
        } catch (IOException noPort) {
            throw new IllegalStateException(noPort);
        }
    }

    @BeforeEach
    void nothingIsAskedYet() {
        assertThat(asked).isEmpty();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private EndpointSource source(@Nullable Token token) {
        return source(server.getAddress().getPort(), token, Duration.ofSeconds(30));
    }

    private static EndpointSource source(int port, @Nullable Token token, Duration timeout) {
        URI base = URI.create("http://127.0.0.1:" + port);
        return new EndpointSource(base, base.toString(), token, timeout);
    }

    @Test
    void threadsAreAskedForAsTextOrJson() {
        assertThat(source(null).threads(false, null)).isEqualTo("{}");
        assertThat(source(null).threads(true, 7)).isEqualTo("{}");
        assertThat(asked).containsExactly("/threads null", "/api/threads?top=7 null");
    }

    @Test
    void theReportIsAskedForWithOrWithoutItsStacks() {
        assertThat(source(null).json(true)).isEqualTo("{}");
        assertThat(source(null).json(false)).isEqualTo("{}");
        assertThat(source(null).history()).isEqualTo("{}");
        assertThat(asked)
                .containsExactly(
                        "/api/report null", "/api/report?stacks=off null", "/api/history null");
    }

    @Test
    void theTokenIsSentAsABearer() {
        source(new Token("abc")).json(true);
        assertThat(asked).containsExactly("/api/report Bearer abc");
    }

    @Test
    void aTokenThatIsMissingOrWrongIsReported() {
        status = 401;
        assertThatThrownBy(() -> source(null).json(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith(
                        " requires a token: set --token, or VTAGENT_TOKEN in the environment");
        assertThatThrownBy(() -> source(new Token("abc")).json(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith(" rejects this token")
                .hasMessageNotContaining("abc");
    }

    @Test
    void anotherListenerThereIsReported() {
        status = 404;
        body = "no such page\nsecond line";
        assertThatThrownBy(() -> source(null).json(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith(
                        " is not vt-agent's endpoint, or refuses the request: it answers 404 (no"
                                + " such page)");
        body = "<html>";
        assertThatThrownBy(() -> source(null).json(true)).hasMessageEndingWith("it answers 404");
        body = "\u001b[31m";
        assertThatThrownBy(() -> source(null).json(true)).hasMessageEndingWith("it answers 404");
        status = 200;
        assertThatThrownBy(() -> source(null).report(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith(" cannot be read as a report: it is not a JSON object");
    }

    @Test
    void aRedirectIsNotFollowed() {
        status = 302;
        assertThatThrownBy(() -> source(new Token("abc")).json(true))
                .hasMessageContaining("it answers 302");
        assertThat(asked).hasSize(1);
    }

    @Test
    void aPortWithoutAListenerIsReported() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertThatThrownBy(() -> source(free, null, Duration.ofSeconds(30)).json(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(
                        "nothing listens at http://127.0.0.1:" + free + ", expected");
    }

    @Test
    void aPeerThatDoesNotAnswerIsNotWaitedForForEver() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(
                            () ->
                                    source(silent.getLocalPort(), null, Duration.ofMillis(50))
                                            .json(true))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageEndingWith(
                            " did not answer within 50 ms; --timeout allows more time");
        }
    }
}
