package io.vtagent.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that receives the transactions of Elastic's agent: they are counted and forgotten. */
final class ElasticServer implements AutoCloseable {
    private static final Pattern PID = Pattern.compile("\\{\"metadata\":.*\"pid\":(\\d+).*");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Long, Long> transactions = new ConcurrentHashMap<>();
    private final HttpServer server;

    ElasticServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, 200));
        server.createContext("/intake/v2/events", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /**
     * Takes lines of JSON, the first of which names the sender; they are not compressed, because
     * they come from the same machine.
     */
    private void take(HttpExchange exchange) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8))) {
            long pid = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher metadata = PID.matcher(line);
                if (metadata.matches()) {
                    pid = Long.parseLong(metadata.group(1));
                } else if (line.startsWith("{\"transaction\":")) {
                    transactions.merge(pid, 1L, Long::sum);
                }
            }
        }
        answer(exchange, 202);
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        byte[] body = "{\"version\":\"8.0.0\"}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    long transactionsOf(ForkedJvm jvm) {
        return transactions.getOrDefault(jvm.pid(), 0L);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
