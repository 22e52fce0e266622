package io.vtagent.demo.workload;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The other side of the article cache: answers every request after a latency.
 *
 * <p>It runs on platform threads, and none of them sleeps: a request is answered later by the
 * timer. So a client never waits for the server, however many ask at once. With a limit of
 * concurrent requests, it refuses further ones at once.
 */
public final class ArticleServer implements AutoCloseable {

    private static final int BACKLOG = 4_096;

    private final ExecutorService workers =
            Executors.newFixedThreadPool(
                    2, Thread.ofPlatform().name("article-server-", 0).factory());
    private final HttpServer server;
    private final AtomicInteger inProgress = new AtomicInteger();

    public ArticleServer(int latencyMillis) throws IOException {
        this(latencyMillis, Integer.MAX_VALUE);
    }

    public ArticleServer(int latencyMillis, int standsAtATime) throws IOException {
        Executor afterLatency =
                CompletableFuture.delayedExecutor(latencyMillis, TimeUnit.MILLISECONDS, workers);
        server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(workers);
        server.createContext(
                "/",
                exchange -> {
                    if (inProgress.incrementAndGet() > standsAtATime) {
                        inProgress.decrementAndGet();
                        answer(exchange, 503, "Too many at a time");
                    } else {
                        afterLatency.execute(
                                () -> {
                                    inProgress.decrementAndGet();
                                    answer(exchange, 200, "This is " + exchange.getRequestURI());
                                });
                    }
                });
        server.start();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }

    private static void answer(HttpExchange exchange, int status, String text) {
        byte[] page = text.getBytes(StandardCharsets.US_ASCII);
        try (exchange;
                OutputStream body = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(status, page.length);
            body.write(page);
        } catch (IOException e) {
            // The client has gone; it knows why.
        }
    }
}
