package io.vtagent.exporter.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection to an endpoint that sends what it likes. A read that takes a minute fails. */
final class RawClient implements AutoCloseable {
    private static final int LIMIT_MILLIS = 60_000;

    private final Socket socket = new Socket();

    RawClient(InetSocketAddress endpoint) throws IOException {
        socket.connect(endpoint, LIMIT_MILLIS);
        socket.setSoTimeout(LIMIT_MILLIS);
    }

    /** The whole answer to a GET. */
    static String get(InetSocketAddress endpoint, String path, String... headers)
            throws IOException {
        StringBuilder request =
                new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return ask(endpoint, request.append("\r\n").toString());
    }

    /** The whole answer to {@code request}. */
    static String ask(InetSocketAddress endpoint, String request) throws IOException {
        try (RawClient client = new RawClient(endpoint)) {
            return client.send(request).readAll();
        }
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Until the endpoint closes. */
    String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Up to and with {@code end}, or until the endpoint closes. */
    String readUntil(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return text.toString();
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Waits until the endpoint has closed the connection, without an answer. */
    void awaitClosed() throws IOException {
        try {
            if (socket.getInputStream().read() >= 0) {
                throw new AssertionError("there was an answer");
            }
        } catch (SocketException reset) {
            // that is closed, too
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
