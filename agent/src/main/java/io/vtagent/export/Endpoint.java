package io.vtagent.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vtagent.log.AgentLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint, on the JDK's server and platform threads of its own, so that it answers when every carrier is held. It
 * serves fixed paths and reads nothing of a request but its method, path and {@code Accept}.
 */
public final class Endpoint implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int INTERNAL_ERROR = 500;

    /** What a path answers. */
    public record Page(String contentType, String body) {}

    private final HttpServer server;
    private final ExecutorService executor;
    private final Map<String, Function<@Nullable String, Page>> pages;

    /**
     * Starts to serve. The server takes over the calling thread's daemon status.
     *
     * @param pages by path, each given the request's {@code Accept} header or null
     * @throws IOException if the address cannot be bound
     */
    public Endpoint(InetSocketAddress address, Map<String, Function<@Nullable String, Page>> pages) throws IOException {
        this.pages = Map.copyOf(pages);
        server = HttpServer.create(address, 0);
        executor = Executors.newFixedThreadPool(THREADS, threads());
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Function<@Nullable String, Page> page =
                    pages.get(exchange.getRequestURI().getPath());
            String method = exchange.getRequestMethod();
            if (page == null) {
                send(exchange, NOT_FOUND, text("not found: see " + String.join(", ", pages.keySet())));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, METHOD_NOT_ALLOWED, text("only GET is answered"));
            } else {
                send(exchange, OK, page.apply(exchange.getRequestHeaders().getFirst("Accept")));
            }
        } catch (RuntimeException | Error failure) {
            AgentLog.debug("cannot answer " + exchange.getRequestURI(), failure);
            send(exchange, INTERNAL_ERROR, text(failure.toString()));
        }
    }

    private static void send(HttpExchange exchange, int status, Page page) throws IOException {
        byte[] body = page.body.getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", page.contentType);
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    private static Page text(String line) {
        return new Page("text/plain; charset=utf-8", line + "\n");
    }

    private static ThreadFactory threads() {
        return Thread.ofPlatform()
                .name("vt-agent-http-", 0)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .factory();
    }
}
