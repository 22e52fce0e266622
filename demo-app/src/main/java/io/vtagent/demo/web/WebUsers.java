package io.vtagent.demo.web;

import io.vtagent.demo.model.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * The users of {@link WebDemo}: {@code PORT USERS LATENCY_MILLIS}. Each has a connection, and sends
 * a request again as soon as it has its answer. Requests of the first rounds, while all users come
 * at once and the JVMs are cold, do not count, nor those before every user has had two answers.
 */
final class WebUsers {

    private static final byte[] REQUEST =
            "GET /get HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String END_OF_HEADERS = "\r\n\r\n";
    private static final String END_OF_CHUNKS = "\r\n0\r\n\r\n";
    private static final int MAX_ANSWER = 1_024;

    private static final int WARM_UP_ROUNDS = 8;
    private static final int COUNTED_ROUNDS = 16;
    private static final int ANSWERS_TO_BE_WARM = 2;

    private final InetSocketAddress server;
    private final int users;
    private final int latencyMillis;
    private final CountDownLatch cold;
    private final Queue<Long> answersNanos = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean counting;
    private volatile boolean ended;

    private WebUsers(int port, int users, int latencyMillis) {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.users = users;
        this.latencyMillis = latencyMillis;
        cold = new CountDownLatch(users);
    }

    public static void main(String[] arguments) throws InterruptedException {
        WebUsers users =
                new WebUsers(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Integer.parseInt(arguments[2]));
        System.out.println(users.run().line());
    }

    private Result run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < users; i++) {
            threads.add(Thread.ofVirtual().start(this::ask));
        }
        Thread.sleep((long) WARM_UP_ROUNDS * latencyMillis);
        cold.await();
        long countedFromNanos = System.nanoTime();
        counting = true;
        Thread.sleep((long) COUNTED_ROUNDS * latencyMillis);
        counting = false;
        double seconds = (System.nanoTime() - countedFromNanos) / 1e9;
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return result(seconds);
    }

    private Result result(double seconds) {
        long[] sorted = answersNanos.stream().mapToLong(Long::longValue).sorted().toArray();
        Result result =
                Result.of("requests/s", sorted.length / seconds)
                        .with("mean ms", Arrays.stream(sorted).average().orElse(0) / 1e6)
                        .with("90 % ms", percentile(sorted, 90))
                        .with("95 % ms", percentile(sorted, 95))
                        .with("99 % ms", percentile(sorted, 99));
        return failures.isEmpty()
                ? result
                : result.note(
                        "%,d of %,d users failed: %s."
                                .formatted(failures.size(), users, failures.element()));
    }

    private static double percentile(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1L) * percent / 100)] / 1e6;
    }

    private void ask() {
        int answers = 0;
        try (SocketChannel channel = SocketChannel.open(server)) {
            while (!ended) {
                long askedAtNanos = System.nanoTime();
                ask(channel);
                if (counting) {
                    answersNanos.add(System.nanoTime() - askedAtNanos);
                }
                if (++answers == ANSWERS_TO_BE_WARM) {
                    cold.countDown();
                }
            }
        } catch (IOException e) {
            failures.add(String.valueOf(e.getMessage()));
            if (answers < ANSWERS_TO_BE_WARM) {
                cold.countDown();
            }
        }
    }

    private static void ask(SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap(REQUEST));
        ByteBuffer bytes = ByteBuffer.allocate(MAX_ANSWER);
        String answer = "";
        while (!answer.endsWith(END_OF_HEADERS + WebServer.ANSWER)
                && !answer.endsWith(END_OF_CHUNKS)) {
            if (channel.read(bytes) <= 0) {
                throw new IOException("the connection ended within the answer \"" + answer + '"');
            }
            answer = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        }
        if (!answer.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("expected HTTP/1.1 200, but got \"" + answer + '"');
        }
    }
}
