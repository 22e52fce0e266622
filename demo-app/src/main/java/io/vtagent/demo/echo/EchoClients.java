package io.vtagent.demo.echo;

import io.vtagent.demo.model.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The other side of {@link EchoDemo}: {@code PORT,PORT... CONNECTIONS}. Each connection sends a
 * greeting, waits for the echo, and stays open until the standard input ends.
 */
final class EchoClients {

    static final String ANSWERED = "answered";
    static final String SECONDS = "s";

    /** So that the queues of those that are not accepted yet do not run over. */
    private static final int CONNECTING_AT_A_TIME = 500;

    private static final byte[] HELLO = "hello\n".getBytes(StandardCharsets.US_ASCII);

    private EchoClients() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String[] ports = arguments[0].split(",", -1);
        int connections = Integer.parseInt(arguments[1]);
        Semaphore connecting = new Semaphore(CONNECTING_AT_A_TIME);
        CountDownLatch running = new CountDownLatch(connections);
        AtomicInteger answered = new AtomicInteger();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        Queue<SocketChannel> open = new ConcurrentLinkedQueue<>();
        long startedAtNanos = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            connecting.acquire();
            int port = Integer.parseInt(ports[i % ports.length]);
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    open.add(hello(port));
                                    answered.incrementAndGet();
                                } catch (IOException e) {
                                    // such as "Too many open files" or "Cannot assign requested
                                    // address"
                                    failures.add(String.valueOf(e.getMessage()));
                                } finally {
                                    connecting.release();
                                    running.countDown();
                                }
                            });
        }
        running.await();
        Result result =
                Result.of(ANSWERED, answered.get())
                        .with(SECONDS, (System.nanoTime() - startedAtNanos) / 1e9);
        System.out.println((failures.isEmpty() ? result : result.note(failures.element())).line());
        while (System.in.read() >= 0) {
            // The connections stay open until then.
        }
        for (SocketChannel channel : open) {
            channel.close();
        }
    }

    private static SocketChannel hello(int port) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.write(ByteBuffer.wrap(HELLO));
        ByteBuffer echo = ByteBuffer.allocate(HELLO.length);
        while (echo.hasRemaining()) {
            if (channel.read(echo) < 0) {
                throw new IOException("the server closed the connection");
            }
        }
        return channel;
    }
}
