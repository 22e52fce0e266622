package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Self-test of the page's tests: the browser detects all that they rely on, in pages that this test
 * serves.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class BrowserIT {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; img-src *; connect-src *";
    private static final String FAULTLESS =
            """
            <!DOCTYPE html><html lang="en"><head><title>Faultless</title></head>
            <body><main><h1>Faultless</h1><button>Fine</button></main></body></html>\
            """;

    private final Map<String, String> files = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final Browser browser;

    BrowserIT() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        browser = new Browser("about:blank");
    }

    @AfterAll
    void end() {
        browser.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = files.getOrDefault(path, "").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set("Content-Type", path.endsWith(".js") ? "text/javascript" : "text/html");
        exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
        exchange.sendResponseHeaders(
                files.containsKey(path) ? 200 : 404, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String host() {
        return server.getAddress().getAddress().getHostAddress()
                + ":"
                + server.getAddress().getPort();
    }

    private Browser open(String html) {
        files.put("/page", html);
        return browser.go("http://" + host() + "/page");
    }

    /**
     * A page with elements in its body, and with a script, for which it needs a file of its own.
     */
    private Browser open(String body, String script) {
        files.put("/script.js", script);
        return open(
                "<!DOCTYPE html><title>x</title><body>"
                        + body
                        + "<script src=script.js></script></body>");
    }

    private void awaitError(String part) {
        await(part)
                .until(
                        () ->
                                browser.consoleErrors().stream()
                                        .anyMatch(error -> error.contains(part)));
    }

    @Test
    void aFaultlessPageHasNoErrorsAndAsksNobodyElse() {
        open(FAULTLESS);

        assertThat(browser.text("h1")).isEqualTo("Faultless");
        assertThat(browser.axeViolations()).isEmpty();
        assertThat(browser.consoleErrors()).isEmpty();
        assertThat(browser.requestedHosts()).containsExactly(host());
    }

    @Test
    void errorsOnTheConsoleAreNoticed() {
        open(
                "",
                "console.error('told', 7); console.warn('a warning'); console.assert(1 == 2,"
                        + " 'asserted')");

        assertThat(browser.consoleErrors()).containsExactly("told 7", "asserted");
    }

    @Test
    void exceptionsThatNobodyCaughtAreNoticed() {
        open(
                "",
                "Promise.reject(new Error('rejected')); setTimeout(() => { throw new"
                        + " Error('thrown') })");

        awaitError("Error: thrown");
        awaitError("Error: rejected");
    }

    @Test
    void violationsOfTheContentSecurityPolicyAreNoticed() {
        open("<script>document.title = 'y'</script>", "");
        awaitError("Executing inline script violates the following Content Security Policy");

        open("<p style='color: red'>x</p>", "");
        awaitError("Applying inline style violates the following Content Security Policy");
    }

    @Test
    void requestsThatFailAreNoticed() {
        open("<img src=missing.png alt=''>", "");
        awaitError("404");

        open("", "fetch('http://127.0.0.1:1/').catch(() => 0)");
        awaitError("net::ERR_");
    }

    @Test
    void theErrorsOfAPageAreGoneWithIt() {
        open("", "console.error('told')");
        open(FAULTLESS);

        assertThat(browser.consoleErrors()).isEmpty();
    }

    @Test
    void aRequestToAnotherHostIsNoticed() {
        String other = "localhost:" + server.getAddress().getPort();

        open("<img src='http://" + other + "/x.png' alt=''>", "");

        await().until(() -> browser.requestedHosts().equals(List.of(host(), other)));
    }

    @Test
    void whatKeepsPeopleFromUsingThePageIsFound() {
        open(FAULTLESS.replace("<button>Fine</button>", "<button></button>"));

        assertThat(browser.axeViolations())
                .singleElement()
                .asString()
                .startsWith("button-name: Buttons must have discernible text: button");
    }

    @Test
    void clicksTextAndKeysArriveAtThePage() {
        open(
                """
                <input id=field value=before><button id=button>Press</button><p id=typed></p><p id=pressed></p>\
                """,
                """
                field.oninput = () => typed.textContent = field.value
                button.onclick = event => pressed.textContent = 'by ' + event.detail\
                """);

        browser.type("#field", "after");
        assertThat(browser.text("#typed")).isEqualTo("after");
        browser.press("Tab").press("Enter");
        assertThat(browser.text("#pressed")).as("by the keyboard").isEqualTo("by 0");
        browser.click("#button");
        assertThat(browser.text("#pressed")).as("by the mouse").isEqualTo("by 1");
        browser.type("#field", "");
        assertThat(browser.text("#typed")).isEmpty();
    }

    @Test
    void whatIsCoveredOrComesLateIsWaitedFor() {
        open(
                "<dialog id=cover>x</dialog><button id=button>Press</button><p id=pressed></p>",
                """
                let tries = 0
                cover.showModal()
                button.onclick = () => pressed.append('once')
                document.elementFromPoint = (original => function (x, y) {
                    if (++tries == 3) cover.close()
                    return original.call(document, x, y)
                })(document.elementFromPoint)\
                """);

        browser.click("#button");

        assertThat(browser.text("#pressed")).isEqualTo("once");
        assertThat(browser.script("tries")).isEqualTo(3);
    }

    @Test
    void darkModeAndWidthTakeEffect(@TempDir Path folder) throws IOException {
        open(FAULTLESS);

        browser.dark(true).resize(390, 844);

        assertThat(
                        browser.script(
                                "matchMedia('(prefers-color-scheme: dark) and (max-width:"
                                        + " 390px)').matches"))
                .isEqualTo(true);
        Path file = folder.resolve("screenshot.png");
        browser.screenshot(file);
        BufferedImage image = Objects.requireNonNull(ImageIO.read(file.toFile()));
        assertThat(image.getWidth()).isEqualTo(390);
        assertThat(image.getHeight()).isEqualTo(844);

        browser.dark(false).resize(1280, 800);

        assertThat(
                        browser.script(
                                "matchMedia('(prefers-color-scheme: dark), (max-width:"
                                        + " 390px)').matches"))
                .isEqualTo(false);
    }
}
