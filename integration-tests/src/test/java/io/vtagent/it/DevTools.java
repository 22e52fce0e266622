package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A browser and the pipe through which it is controlled, in the Chrome DevTools Protocol: messages
 * in JSON, with a zero after each. Chrome, Chromium and Edge speak it themselves, so that neither a
 * driver nor a port is needed. The browser ends with the pipe, and so with this JVM, in any case.
 */
final class DevTools implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(Long.getLong("it.limit.seconds", 90));

    /**
     * The browser reads from descriptor 3 and writes to 4, which a JVM cannot give to a process.
     */
    private static final String TO_PIPE = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null";

    private final Path profile;
    private final Process process;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Json>> calls = new ConcurrentHashMap<>();
    private final Consumer<Event> listener;
    private volatile @Nullable String session;

    /** An event of the page. */
    record Event(String method, Json params) {}

    DevTools(Path browser, List<String> options, Consumer<Event> listener) {
        this.listener = listener;
        try {
            profile = Files.createTempDirectory("vt-agent-browser");
            List<String> command =
                    new ArrayList<>(List.of("bash", "-c", TO_PIPE, browser.toString()));
            command.addAll(options);
            command.addAll(
                    List.of(
                            "--remote-debugging-pipe",
                            "--user-data-dir=" + profile,
                            "about:blank"));
            process =
                    new ProcessBuilder(command)
                            .redirectError(profile.resolve("stderr").toFile())
                            .start();
        } catch (IOException failed) {
            throw new IllegalStateException("cannot run " + browser, failed);
        }
        Thread.ofPlatform().daemon().name("messages of a browser").start(this::read);
    }

    /** From now on calls are for the page {@code target}, and its events are received. */
    void attach(String target) {
        session =
                call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                        .get("sessionId")
                        .string();
    }

    /**
     * @throws IllegalStateException if the browser refuses, as it does while a page gives way to
     *     the next
     */
    Json call(String method, Map<String, ?> params) {
        int id = lastId.incrementAndGet();
        CompletableFuture<Json> answer = new CompletableFuture<>();
        calls.put(id, answer);
        String page = session;
        Map<String, Object> message =
                page == null
                        ? Map.of("id", id, "method", method, "params", params)
                        : Map.of("id", id, "method", method, "params", params, "sessionId", page);
        try {
            send(io.vtagent.demo.text.Json.text(message));
            Json received = answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            Json error = received.get("error");
            if (error.value() != null) {
                throw new IllegalStateException(method + ": " + error.get("message").string());
            }
            return received.get("result");
        } catch (IOException | ExecutionException ended) {
            throw new AssertionError("the browser has ended\n" + stderr(), ended);
        } catch (TimeoutException late) {
            throw new AssertionError(
                    "no answer to " + method + " within " + LIMIT + "\n" + stderr(), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } finally {
            calls.remove(id);
        }
    }

    private synchronized void send(String message) throws IOException {
        OutputStream out = process.getOutputStream();
        out.write(message.getBytes(StandardCharsets.UTF_8));
        out.write(0);
        out.flush();
    }

    private void read() {
        try (InputStream in = new BufferedInputStream(process.getInputStream())) {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == 0) {
                    received(Json.parse(message.toString(StandardCharsets.UTF_8)));
                    message.reset();
                } else {
                    message.write(next);
                }
            }
        } catch (IOException closed) {
            // as if it had ended
        } finally {
            calls.values()
                    .forEach(
                            call -> call.completeExceptionally(new IOException("end of the pipe")));
        }
    }

    private void received(Json message) {
        Object id = message.get("id").value();
        if (id == null) {
            listener.accept(new Event(message.get("method").string(), message.get("params")));
            return;
        }
        CompletableFuture<Json> call = calls.get(((Number) id).intValue());
        if (call != null) {
            call.complete(message);
        }
    }

    private String stderr() {
        try {
            return Files.readString(profile.resolve("stderr"));
        } catch (IOException none) {
            return "";
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // as it should
        }
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            await("the end of the browser's other processes")
                    .atMost(LIMIT)
                    .until(this::deleteProfile);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /**
     * Returns whether it is gone: the browser's other processes may outlive it by a moment, and
     * write to the end.
     */
    private boolean deleteProfile() {
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            return true;
        } catch (IOException | UncheckedIOException busy) {
            return false;
        }
    }
}
