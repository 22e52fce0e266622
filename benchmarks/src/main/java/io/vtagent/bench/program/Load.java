package io.vtagent.bench.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A load generator. For each line {@code PORT PATH SECONDS} that it reads, it requests that page on
 * 32 connections, on each again as soon as it has an answer. Then it prints how many answers there
 * were, in how many seconds, and their 99th percentile, in microseconds. It has one thread: its CPU
 * time is not the service's.
 */
public final class Load {
    private static final int CONNECTIONS = 32;
    private static final int BUFFER_BYTES = 8192;
    private static final int DIGITS = 3;
    private static final double P99 = 99;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Histogram nanos = new Histogram(DIGITS);
    private final byte[] request;

    private Load(int port, String path) {
        request =
                ("GET "
                                + path
                                + " HTTP/1.1\r\nHost: localhost:"
                                + port
                                + "\r\nAccept: text/plain\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            int port = Integer.parseInt(words[0]);
            System.out.println(new Load(port, words[1]).run(port, Integer.parseInt(words[2])));
        }
    }

    private String run(int port, int seconds) throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                new Connection(port, selector).send();
            }
            long beganNanos = System.nanoTime();
            long endNanos = beganNanos + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < endNanos) {
                selector.select(this::readable, 1);
            }
            double took = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            return String.format(
                    Locale.ROOT,
                    "%d %.3f %.1f",
                    nanos.getTotalCount(),
                    took,
                    nanos.getValueAtPercentile(P99) / NANOS_PER_MICRO);
        }
    }

    private void readable(SelectionKey key) {
        try {
            Connection connection = (Connection) key.attachment();
            if (connection.read()) {
                nanos.recordValue(System.nanoTime() - connection.sentAtNanos);
                connection.send();
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** One request at a time. */
    private final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer answer = ByteBuffer.allocate(BUFFER_BYTES);
        private long sentAtNanos;

        Connection(int port, Selector selector) throws IOException {
            channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send() throws IOException {
            answer.clear();
            sentAtNanos = System.nanoTime();
            ByteBuffer bytes = ByteBuffer.wrap(request);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        /** Whether the answer is complete. */
        boolean read() throws IOException {
            if (channel.read(answer) < 0) {
                throw new IOException("the service closed a connection");
            }
            String text =
                    new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
            int head = text.indexOf("\r\n\r\n");
            if (head < 0) {
                return false;
            }
            if (!text.startsWith("HTTP/1.1 200")) {
                throw new IOException("expected an answer 200, got: " + text);
            }
            return answer.position() >= head + 4 + length(text);
        }

        private static int length(String text) throws IOException {
            String name = "Content-Length: ";
            int at = text.indexOf(name);
            if (at < 0) {
                throw new IOException("expected an answer with its length, got: " + text);
            }
            return Integer.parseInt(text.substring(at + name.length(), text.indexOf('\r', at)));
        }
    }
}
