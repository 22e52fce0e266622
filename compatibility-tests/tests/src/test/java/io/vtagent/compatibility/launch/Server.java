package io.vtagent.compatibility.launch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vtagent.compatibility.pins.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * The JDK's own server on virtual threads. Beside {@link Answer} there are {@code /swapped}, for a
 * debugger, and {@code /held}, which is the same until a client requests {@code /release}. {@code
 * /never-blocks} and {@code /never-blocks-enters} return what a thread gets that must not block and
 * does so, or waits for a monitor. Ends with 7 when stdin is closed.
 */
public final class Server {
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private Server() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Answer.executor());
        server.createContext("/", Server::answer);
        server.start();
        System.out.println("listening=" + server.getAddress().getPort());
        while (System.in.read() >= 0) {
            // until it is closed
        }
        System.exit(7);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = body(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static String body(String path) {
        try {
            return switch (path) {
                case "/swapped" -> new Redefined().version();
                case "/held" -> new Redefined().version(RELEASED);
                case "/release" -> release();
                case "/never-blocks" -> NeverBlocks.sleeps();
                case "/never-blocks-enters" -> NeverBlocks.enters();
                default -> Answer.to(path);
            };
        } catch (InterruptedException | ClassNotFoundException failure) {
            return failure.toString();
        }
    }

    private static String release() {
        RELEASED.countDown();
        return "released";
    }
}
