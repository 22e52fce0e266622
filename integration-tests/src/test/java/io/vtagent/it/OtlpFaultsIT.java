package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.TimedWaits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Receivers of OTLP that are down, slow or answer nonsense: one line, and the application and its
 * figures are as they were.
 */
@Tag("long")
final class OtlpFaultsIT {
    private static final String CANNOT = "[vt-agent] cannot push metrics to ";

    /** The faults of a receiver. */
    enum Fault {
        /** A client that waits in the queue of a listener that closes has no answer. */
        DOWN("ConnectException: Connection refused", "no answer within 2000 ms"),
        HANGS_UP("("),
        NEVER_ANSWERS("no answer within 2000 ms"),
        DRIPS("no answer within 2000 ms"),
        NO_HTTP("the response is not HTTP"),
        ENDLESS_HEAD("("),
        STATUS_500_WITHOUT_END("HTTP status 500"),
        REDIRECT("HTTP status 307, a redirect"),
        WEB_PAGE("HTTP status 200 with a web page, which is not OTLP"),
        NO_OTLP("the response is not OTLP"),
        OTLP_WITHOUT_END("the response is not OTLP"),
        REJECTS("the receiver rejected 3 data points: too?old");

        private final String reason;
        private final String otherReason;

        Fault(String reason) {
            this(reason, reason);
        }

        Fault(String reason, String otherReason) {
            this.reason = reason;
            this.otherReason = otherReason;
        }
    }

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whateverAReceiverDoesIsOneLineAndTheApplicationEnds(Jdk jdk) throws IOException {
        try (FickleReceiver receiver = new FickleReceiver();
                ForkedJvm jvm = launch(jdk, receiver.port()).main(TimedWaits.class, 1, 1)) {
            jvm.awaitDone();
            receiver.awaitAttempts(1);
            int lines = 1;
            for (Fault fault : Fault.values()) {
                receiver.become(fault);
                awaitLines(jvm, ++lines);
                if (fault == Fault.DOWN) {
                    receiver.reopen();
                } else {
                    receiver.awaitAttempts(2);
                }
                assertThat(jvm.stderr()).hasSize(lines);
                assertThat(jvm.stderr().getLast())
                        .startsWith(CANNOT + "http://127.0.0.1:" + receiver.port() + " (")
                        .containsAnyOf(fault.reason, fault.otherReason)
                        .endsWith("; retries every 100 ms");
                receiver.become(null);
                awaitLines(jvm, ++lines);
                assertThat(jvm.stderr().getLast()).endsWith("again");
            }
            receiver.become(Fault.NEVER_ANSWERS);
            assertThat(jvm.end()).isZero();
        }
    }

    private static void awaitLines(ForkedJvm jvm, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .failFast(() -> assertThat(jvm.stderr()).hasSizeLessThanOrEqualTo(count))
                .until(() -> jvm.stderr().size() == count);
    }

    private static ForkedJvm.Launch launch(Jdk jdk, int port) {
        return ForkedJvm.on(jdk)
                .env("OTEL_METRIC_EXPORT_INTERVAL", "100")
                .env("OTEL_EXPORTER_OTLP_TIMEOUT", "2000")
                .env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret")
                .agent("port=off,report=off,otlp=http://127.0.0.1:" + port + "/s3cret?s3cret");
    }

    /** Accepts connections and does what it is to do with them. */
    private static final class FickleReceiver implements AutoCloseable {
        private final int port;
        private volatile ServerSocket listener;
        private volatile @Nullable Fault fault;
        private final AtomicInteger attempts = new AtomicInteger();
        private final List<Socket> kept = new CopyOnWriteArrayList<>();

        FickleReceiver() throws IOException {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            port = listener.getLocalPort();
            Thread.ofPlatform().daemon().start(() -> accept(listener));
        }

        int port() {
            return port;
        }

        /** Sets how it treats every connection from now on; null for what a receiver should do. */
        void become(@Nullable Fault newFault) throws IOException {
            fault = newFault;
            if (newFault == Fault.DOWN) {
                listener.close();
            }
        }

        void reopen() throws IOException {
            ServerSocket again = new ServerSocket();
            again.setReuseAddress(true);
            again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listener = again;
            Thread.ofPlatform().daemon().start(() -> accept(again));
        }

        /** Waits for another {@code count} connections. */
        void awaitAttempts(int count) {
            int before = attempts.get();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> attempts.get() >= before + count);
        }

        private void accept(ServerSocket accepting) {
            while (!accepting.isClosed()) {
                try {
                    Socket socket = accepting.accept();
                    attempts.incrementAndGet();
                    kept.add(socket);
                    Thread.ofPlatform().daemon().start(() -> answer(socket));
                } catch (IOException closed) {
                    return;
                }
            }
        }

        private void answer(Socket socket) {
            Fault fault = this.fault;
            try {
                OutputStream out = socket.getOutputStream();
                if (fault != Fault.HANGS_UP) {
                    readHead(socket.getInputStream());
                }
                switch (fault) {
                    case null ->
                            write(
                                    out,
                                    head("200 OK", "application/x-protobuf", "Content-Length: 0"));
                    case HANGS_UP -> socket.close();
                    case DRIPS -> endless(out, "HTTP/1.1 200 OK\r\nX: ", "x", 20);
                    case NO_HTTP -> write(out, "SSH-2.0-OpenSSH_9.2\r\n".repeat(200));
                    case ENDLESS_HEAD ->
                            endless(
                                    out,
                                    "HTTP/1.1 200 OK\r\n",
                                    "X: " + "x".repeat(1_000) + "\r\n",
                                    0);
                    case STATUS_500_WITHOUT_END ->
                            endless(out, head("500 Oops", "text/plain"), "x".repeat(1_000), 0);
                    case REDIRECT ->
                            write(
                                    out,
                                    head("307 There", "text/plain", "Location: http://127.0.0.1:1/")
                                            + "no\r\n");
                    case WEB_PAGE ->
                            endless(out, head("200 OK", "text/html"), "<html>".repeat(200), 0);
                    case NO_OTLP ->
                            write(
                                    out,
                                    head("200 OK", "application/x-protobuf", "Content-Length: 4")
                                            + "oops");
                    case OTLP_WITHOUT_END ->
                            endless(
                                    out,
                                    head("200 OK", "application/x-protobuf"),
                                    "\n\0".repeat(1_000),
                                    0);
                    case REJECTS ->
                            write(
                                    out,
                                    head("200 OK", "application/x-protobuf", "Content-Length: 13")
                                            + "\n\u000b\b\u0003\u0012\u0007too\nold");
                    default -> {} // never answers
                }
            } catch (IOException gone) {
                // as it should
            }
        }

        private static String head(String status, String type, String... headers) {
            return "HTTP/1.1 "
                    + status
                    + "\r\nContent-Type: "
                    + type
                    + "\r\n"
                    + String.join("\r\n", headers)
                    + (headers.length == 0 ? "\r\n" : "\r\n\r\n");
        }

        private static void readHead(InputStream in) throws IOException {
            int last = 0;
            for (int read = in.read(); read >= 0; read = in.read()) {
                last = (last << 8) | read;
                if (last == 0x0d0a0d0a) {
                    return;
                }
            }
        }

        private static void write(OutputStream out, String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        private static void endless(OutputStream out, String first, String again, long pauseMillis)
                throws IOException {
            write(out, first);
            while (true) {
                write(out, again);
                pause(pauseMillis);
            }
        }

        private static void pause(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException nobodyDoes) {
                throw new IllegalStateException(nobodyDoes);
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (Socket socket : kept) {
                socket.close();
            }
        }
    }

    @Test
    void whatCouldNotBePushedIsPushedWhenTheReceiverTakesItAgain() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open()) {
            receiver.answer(503);
            int port = Integer.parseInt(receiver.address().substring("localhost:".length()));
            try (ForkedJvm jvm =
                    launch(Jdks.jdk21(), port)
                            .env(
                                    "OTEL_EXPORTER_OTLP_TIMEOUT",
                                    "60000") // however busy the machine is, it answers
                            .main(TimedWaits.class, 10, 20)) {
                jvm.awaitDone();
                receiver.awaitMore(3);
                receiver.answer(200);
                jvm.awaitStderr(
                        line ->
                                line.endsWith(
                                        "metrics are pushed to http://127.0.0.1:"
                                                + port
                                                + " again"));
                receiver.answer(503);
                receiver.awaitMore(3);
                receiver.answer(200);
                assertThat(jvm.end()).isZero();

                assertThat(jvm.stderr().stream().filter(line -> line.startsWith(CANNOT)))
                        .hasSize(2)
                        .allMatch(line -> line.contains(" (HTTP status 503); "));
                assertThat(jvm.toString().replace(port + "/s3cret?s3cret", ""))
                        .doesNotContain("s3cret");
                assertThat(receiver.last().metrics().count("vthread.pinned", "kind", "wait"))
                        .isEqualTo(10);
            }
        }
    }

    @Test
    void certificatesThatTheJvmTrustsAreTrustedAndNoOthers()
            throws IOException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        keytool(
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString());
        try (OtlpReceiver receiver = OtlpReceiver.open(tls(store))) {
            for (Jdk jdk : List.of(Jdks.jdk21(), Jdks.jdk25())) {
                try (ForkedJvm jvm =
                        overTls(jdk, receiver.address())
                                .vm(
                                        "-Djavax.net.ssl.trustStore=" + store,
                                        "-Djavax.net.ssl.trustStorePassword=changeit")
                                .main(TimedWaits.class, 1, 1)) {
                    jvm.awaitDone();
                    receiver.awaitMore(2);
                    assertThat(jvm.end()).isZero();
                    assertThat(jvm.stderr()).hasSize(1);
                }
            }
            String byAddress = receiver.address().replace("localhost", "127.0.0.1");
            try (ForkedJvm stranger =
                            overTls(Jdks.jdk25(), receiver.address()).main(TimedWaits.class, 1, 1);
                    ForkedJvm otherName =
                            overTls(Jdks.jdk25(), byAddress)
                                    .vm("-Djavax.net.ssl.trustStore=" + store)
                                    .vm("-Djavax.net.ssl.trustStorePassword=changeit")
                                    .main(TimedWaits.class, 1, 1)) {
                stranger.awaitStderr(
                        line ->
                                line.startsWith(CANNOT)
                                        && line.contains("unable to find valid certification"));
                otherName.awaitStderr(
                        line ->
                                line.startsWith(CANNOT + "https://" + byAddress)
                                        && line.contains("No subject alternative names"));
            }
        }
    }

    private static ForkedJvm.Launch overTls(Jdk jdk, String address) {
        return ForkedJvm.on(jdk)
                .env("OTEL_METRIC_EXPORT_INTERVAL", "100")
                .agent("port=off,report=off,otlp=https://" + address);
    }

    private static SSLContext tls(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString()));
        command.addAll(List.of(arguments));
        try {
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
