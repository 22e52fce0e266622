package io.vtagent.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.exporter.http.Content.Page;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form in which responses are written, and their resources. */
class ReplyTest {
    private static final String LONG = "a long page, µ\n".repeat(1_000);
    private static final String ENCODED = "\r\nContent-Encoding: gzip\r\n";

    private final ServerSocket listener = listener();
    private final InetSocketAddress address =
            new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    private final Endpoint endpoint =
            new Endpoint(
                    listener,
                    "s3cret",
                    Map.of(
                            "/",
                            Route.open(query -> new Page("text/html", LONG)),
                            "/short",
                            Route.open(query -> new Page("text/html", "short\n")),
                            "/save",
                            Route.open(query -> new Page("text/html", "saved\n", "report.html")),
                            "/bad",
                            Route.open(
                                    query -> {
                                        throw new BadQueryException("expected something else");
                                    }),
                            "/guarded",
                            Route.guarded(query -> new Page("text/html", "guarded\n"))));

    @AfterEach
    void close() throws IOException {
        endpoint.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP",
                "deflate, gzip",
                "gzip;q=0.5",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "gzip;q=0.001"
            })
    void aClientThatAcceptsGzipGetsIt(String encodings) throws IOException {
        String answer = RawClient.get(address, "/", "Accept-Encoding: " + encodings);
        byte[] body = body(answer).getBytes(StandardCharsets.ISO_8859_1);

        assertThat(answer).contains(ENCODED, "\r\nContent-Length: " + body.length + "\r\n");
        assertThat(body).hasSizeLessThan(LONG.length() / 4);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes())
                .isEqualTo(LONG.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Nothing: here",
                "Accept-Encoding:",
                "Accept-Encoding: identity",
                "Accept-Encoding: gzip;q=0",
                "Accept-Encoding: gzip; q=0.000",
                "Accept-Encoding: gzipped",
                "Accept-Encoding: deflate, br",
            })
    void aClientThatDoesNotGetsTheTextItself(String header) throws IOException {
        String answer = RawClient.get(address, "/", header);

        assertThat(answer).doesNotContain(ENCODED);
        assertThat(body(answer).getBytes(StandardCharsets.ISO_8859_1))
                .isEqualTo(LONG.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsShortStaysAsItIs() throws IOException {
        assertThat(RawClient.get(address, "/short", "Accept-Encoding: gzip"))
                .doesNotContain(ENCODED)
                .endsWith("\r\n\r\nshort\n");
    }

    @Test
    void headReturnsTheLengthThatGetWouldHave() throws IOException {
        String asked = " / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
        String head = RawClient.ask(address, "HEAD" + asked);

        assertThat(head).contains(ENCODED).endsWith("\r\n\r\n");
        assertThat(lengthIn(head)).isEqualTo(lengthIn(RawClient.ask(address, "GET" + asked)));
    }

    @Test
    void aBrowserSavesWhatHasAFileName() throws IOException {
        assertThat(RawClient.get(address, "/save"))
                .contains("\r\nContent-Disposition: attachment; filename=\"report.html\"\r\n")
                .endsWith("\r\n\r\nsaved\n");
        assertThat(RawClient.get(address, "/")).doesNotContain("Content-Disposition");
    }

    @Test
    void aQueryThatIsNotUnderstoodIsA400ThatReportsWhatWasExpected() throws IOException {
        assertThat(RawClient.get(address, "/bad?format=<script>"))
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .contains("\r\nContent-Type: text/plain; charset=utf-8\r\n")
                .endsWith("\r\n\r\nexpected something else\n");
    }

    @Test
    void pathsThatContainNothingOfTheApplicationNeedNoToken() throws IOException {
        assertThat(RawClient.get(address, "/short")).startsWith("HTTP/1.1 200 ");
        assertThat(RawClient.get(address, "/guarded")).startsWith("HTTP/1.1 401 ");
        assertThat(RawClient.get(address, "/guarded", "Authorization: Bearer s3cret"))
                .endsWith("\r\n\r\nguarded\n");
    }

    @Test
    void aPathThatIsOpenIsStillForThisMachineAlone() throws IOException {
        assertThat(RawClient.ask(address, "GET / HTTP/1.1\r\nHost: attacker.example\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(RawClient.ask(address, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String lengthIn(String answer) {
        return answer.replaceAll("(?s).*\r\nContent-Length: (\\d+)\r\n.*", "$1");
    }

    private static ServerSocket listener() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
