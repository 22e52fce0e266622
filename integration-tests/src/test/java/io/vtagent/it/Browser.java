package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A page in the browser that the script {@code ./browser} finds, without a window. An element that
 * is to be clicked, read or typed into is waited for, for at most {@link DevTools#LIMIT}; {@code
 * css} selects the first element that it fits.
 */
final class Browser implements AutoCloseable {
    private static final List<String> OPTIONS =
            List.of(
                    "--headless",
                    // a sandbox would need rights that neither root nor most containers have, and
                    // the browser only opens pages of the tests
                    "--no-sandbox",
                    // containers have 64 MB of it
                    "--disable-dev-shm-usage",
                    "--no-first-run",
                    "--no-proxy-server",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--hide-scrollbars");

    /**
     * Returns the middle of the element, once it is there, does not move, and nothing covers it;
     * else null.
     */
    private static final String MIDDLE =
            """
            (async css => {
              const element = document.querySelector(css)
              if (!element) return null
              element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
              const before = element.getBoundingClientRect()
              await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
              const box = element.getBoundingClientRect()
              const x = box.x + box.width / 2, y = box.y + box.height / 2
              const hit = document.elementFromPoint(x, y)
              return box.width && box.x == before.x && box.y == before.y && element.contains(hit) ? {x, y} : null
            })\
            """;

    private final PageLog log = new PageLog();
    private final DevTools devTools;

    /**
     * @param url of the page to begin with
     */
    Browser(String url) {
        devTools = new DevTools(Path.of(RootScript.ask("browser")), OPTIONS, log::onEvent);
        try {
            devTools.attach(
                    devTools.call("Target.createTarget", Map.of("url", "about:blank"))
                            .get("targetId")
                            .string());
            for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                devTools.call(domain + ".enable", Map.of());
            }
            go(url);
        } catch (RuntimeException | AssertionError failed) {
            devTools.close();
            throw failed;
        }
    }

    /** Leaves the page for another, and with it its errors and requests. */
    Browser go(String url) {
        devTools.call("Page.navigate", Map.of("url", "about:blank"));
        log.clear();
        Json error = devTools.call("Page.navigate", Map.of("url", url)).get("errorText");
        if (error.value() != null) {
            throw new AssertionError(url + ": " + error.string());
        }
        boolean blank = url.equals("about:blank"); // which it is until the other page is there
        return awaitScript(
                "document.readyState == 'complete' && (location.href == 'about:blank') == "
                        + blank);
    }

    /** The text of the element, as a reader sees it. */
    String text(String css) {
        awaitElement(css);
        return String.valueOf(
                script("document.querySelector(" + quoted(css) + ").innerText.trim()"));
    }

    Browser click(String css) {
        Json middle =
                new Json(
                        awaitValue(
                                "a click on " + css,
                                MIDDLE + "(" + quoted(css) + ")",
                                Objects::nonNull));
        Map<String, Object> at =
                Map.of(
                        "x",
                        middle.get("x").number(),
                        "y",
                        middle.get("y").number(),
                        "button",
                        "left",
                        "clickCount",
                        1);
        for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            devTools.call("Input.dispatchMouseEvent", with(at, "type", type));
        }
        return this;
    }

    /** Moves the mouse to the edge of the window, where it points to nothing. */
    Browser moveMouseAway() {
        devTools.call(
                "Input.dispatchMouseEvent", with(Map.of("x", 0, "y", 0), "type", "mouseMoved"));
        return this;
    }

    /** Replaces what the field holds. */
    Browser type(String css, String text) {
        click(css);
        script("document.querySelector(" + quoted(css) + ").select()");
        if (text.isEmpty()) {
            script("document.execCommand('delete')");
        } else {
            devTools.call("Input.insertText", Map.of("text", text));
        }
        return this;
    }

    /**
     * @param key as JavaScript names it, such as {@code Tab}
     */
    Browser press(String key) {
        int code =
                switch (key) {
                    case "Tab" -> 9;
                    case "Enter" -> 13;
                    case "Escape" -> 27;
                    case " " -> 32;
                    case "ArrowLeft" -> 37;
                    case "ArrowUp" -> 38;
                    case "ArrowRight" -> 39;
                    case "ArrowDown" -> 40;
                    default ->
                            throw new IllegalArgumentException(
                                    "no code is known for the key " + key);
                };
        Map<String, Object> event =
                Map.of(
                        "key",
                        key,
                        "code",
                        key.isBlank() ? "Space" : key,
                        "windowsVirtualKeyCode",
                        code);
        String text = key.equals("Enter") ? "\r" : key.isBlank() ? key : "";
        devTools.call(
                "Input.dispatchKeyEvent",
                with(with(event, "type", text.isEmpty() ? "rawKeyDown" : "keyDown"), "text", text));
        devTools.call("Input.dispatchKeyEvent", with(event, "type", "keyUp"));
        return this;
    }

    /**
     * The value of an expression, or what its promise resolves to: as from JSON, and null if it is
     * undefined.
     */
    @Nullable Object script(String expression) {
        Json answer =
                devTools.call(
                        "Runtime.evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "returnByValue",
                                true,
                                "awaitPromise",
                                true,
                                "userGesture",
                                true));
        Json exception = answer.get("exceptionDetails");
        if (exception.value() != null) {
            throw new AssertionError(
                    "the script failed: " + PageLog.describe(exception) + "\n" + expression);
        }
        return answer.get("result").get("value").value();
    }

    Browser awaitElement(String css) {
        return awaitScript("document.querySelector(" + quoted(css) + ") != null");
    }

    /** Waits until {@code condition}, an expression, is true. */
    Browser awaitScript(String condition) {
        awaitValue(condition, condition, Boolean.TRUE::equals);
        return this;
    }

    private @Nullable Object awaitValue(
            String what, String expression, Predicate<@Nullable Object> wanted) {
        return await(what)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(50))
                .atMost(DevTools.LIMIT)
                .ignoreException(IllegalStateException.class)
                .until(() -> script(expression), wanted);
    }

    /**
     * Returns, so far: errors on the console, uncaught exceptions, violations of the
     * Content-Security-Policy, failed requests.
     */
    List<String> consoleErrors() {
        script("0"); // events from before the answer have been received with it
        return log.errors();
    }

    /** Returns the hosts from which the page has requested something, with the port. */
    List<String> requestedHosts() {
        script("0");
        return log.hosts();
    }

    /** Returns the barriers for a reader with a disability, according to axe-core. */
    List<String> axeViolations() {
        Object violations =
                script(
                        resource("/axe.min.js")
                                + """
                                ;axe.run().then(found => found.violations.map(rule =>
                                    rule.id + ': ' + rule.help + ': ' + rule.nodes.map(node => node.target.join(' ')).join(', ')))\
                                """);
        return new Json(violations).list().stream().map(Json::string).toList();
    }

    /** Writes what is visible, as PNG. */
    void screenshot(Path file) {
        String base64 =
                devTools.call("Page.captureScreenshot", Map.of("format", "png"))
                        .get("data")
                        .string();
        try {
            Files.write(file, Base64.getDecoder().decode(base64));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Browser resize(int width, int height) {
        devTools.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return awaitScript("innerWidth == " + width);
    }

    /** Sets the system's colour scheme, as the page sees it. */
    Browser dark(boolean dark) {
        Map<String, String> scheme =
                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        devTools.call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
        return awaitScript("matchMedia('(prefers-color-scheme: dark)').matches == " + dark);
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        Map<String, Object> more = new HashMap<>(map);
        more.put(key, value);
        return more;
    }

    private static String quoted(String text) {
        return io.vtagent.demo.text.Json.text(text);
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(Browser.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        devTools.close();
    }
}
