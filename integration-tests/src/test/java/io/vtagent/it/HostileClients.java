package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Ticking;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients by the thousand that never ask, ask for ever, or read nothing, against a JVM with little
 * memory, which ends if it runs out of it. Threads and file descriptors stay bounded all along, and
 * a well-behaved client afterwards is answered. Linux only.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class HostileClients {
    private static final int CONNECTIONS = 10_000;
    private static final long MAX_THREADS = 17;
    private static final long MAX_DESCRIPTORS_MORE = 40;
    private static final double MIN_SHARE = 0.5;
    private static final String WHOLE = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void tenThousandSilentConnections() throws IOException {
        attack("");
    }

    @Test
    void tenThousandHalfOpenRequests() throws IOException {
        attack("GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Half: ");
    }

    @Test
    void tenThousandClientsThatReadNothing() throws IOException {
        attack(WHOLE);
    }

    @Test
    void tenThousandClientsThatPipeline() throws IOException {
        attack(WHOLE.repeat(100));
    }

    @Test
    void tenThousandClientsThatSendGarbage() throws IOException {
        StringBuilder garbage = new StringBuilder();
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            garbage.append((char) random.nextInt(256));
        }
        attack(garbage.toString());
    }

    @Test
    void tenThousandHeadsWithoutAnEnd() throws IOException {
        attack("GET / HTTP/1.1\r\nX-Long: " + "x".repeat(100_000));
    }

    /** Keeps as many open as the kernel takes. */
    private void attack(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        List<SocketChannel> clients = new ArrayList<>();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Xmx64m", "-XX:+ExitOnOutOfMemoryError")
                        .agent()
                        .main(Ticking.class)
                        .awaitLine("running")) {
            Endpoint endpoint = jvm.endpoint();
            InetSocketAddress address =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), endpoint.base().getPort());
            endpoint.metrics();
            long before = descriptors(jvm);
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(open(address, bytes));
                if (i % 1000 == 999) {
                    assertThat(descriptors(jvm)).isLessThanOrEqualTo(before + MAX_DESCRIPTORS_MORE);
                    assertThat(threads(jvm)).isBetween(1L, MAX_THREADS);
                }
            }
            long connected = clients.stream().filter(SocketChannel::isConnected).count();
            System.out.println(
                    jdk + ": " + connected + " of " + CONNECTIONS + " were connected at once");
            assertThat(connected).isGreaterThan(MAX_THREADS);
            for (SocketChannel client : clients) {
                client.close();
            }
            assertThat(endpoint.get("/metrics", "*/*").statusCode()).isEqualTo(200);
            jvm.proceed().awaitDone();
            // the application's threads had their turns meanwhile, the virtual ones like the others
            assertThat(jvm.number("platform")).isPositive();
            assertThat(jvm.number("virtual")).isGreaterThan(MIN_SHARE * jvm.number("platform"));
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static long descriptors(ForkedJvm jvm) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(jvm.pid()), "fd"))) {
            return open.count();
        }
    }

    /** Returns the number of the endpoint's threads. */
    private static long threads(ForkedJvm jvm) throws IOException {
        try (Stream<Path> threads =
                Files.list(Path.of("/proc", Long.toString(jvm.pid()), "task"))) {
            return threads.filter(thread -> nameOf(thread).startsWith("vt-agent-http-")).count();
        }
    }

    private static String nameOf(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /** Sends as much as the kernel takes at once, and does not wait for the connection. */
    private static SocketChannel open(InetSocketAddress address, byte[] bytes) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        client.configureBlocking(false);
        client.connect(address);
        try {
            if (client.finishConnect()) {
                client.write(ByteBuffer.wrap(bytes));
            }
        } catch (IOException reset) {
            // closed by the endpoint already
        }
        return client;
    }
}
