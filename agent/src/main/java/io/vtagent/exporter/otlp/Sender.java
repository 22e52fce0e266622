package io.vtagent.exporter.otlp;

import io.vtagent.options.OtlpUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests, each over its own connection. {@code HttpURLConnection} is no option: it
 * would call the application's cookie handler, authenticator, proxy selector and stream handlers,
 * send its client certificate, and keep connections and a thread. Nor is {@code
 * SSLContext.getDefault()}, which is created once, from properties that the application may set
 * later.
 *
 * <p>One thread sends. Any other thread may call {@link #stopIfOverdue}, because a write, a
 * handshake and an answer that arrives byte by byte have no time limit of their own.
 */
final class Sender {
    private static final Http1Config LIMITS =
            Http1Config.custom().setMaxLineLength(8 << 10).setMaxHeaderCount(100).build();
    private static final int FIRST_FINAL_STATUS = 200;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final OtlpUrl to;
    private final Map<String, String> headers;
    private final boolean gzip;
    private final String userAgent;
    private volatile long timeoutNanos;
    private volatile long beganNanos;
    private volatile @Nullable Socket open;
    private @Nullable SSLContext tls;

    Sender(OtlpUrl to, OtlpSettings settings, String userAgent) {
        this.to = to;
        this.headers = settings.headers();
        this.gzip = settings.gzip();
        this.timeoutNanos = settings.timeoutNanos();
        this.userAgent = userAgent;
    }

    /** Lowers the timeout, also for the request in progress. */
    void limit(long nanos) {
        timeoutNanos = Math.min(timeoutNanos, nanos);
    }

    /**
     * @throws IOException if the message cannot be sent, times out or is not accepted
     */
    void send(byte[] message) throws IOException {
        beganNanos = System.nanoTime();
        try (Socket socket = new Socket(Proxy.NO_PROXY)) { // not the application's SOCKS proxy
            open = socket;
            socket.setSoTimeout(leftMillis());
            socket.connect(new InetSocketAddress(to.host(), to.port()), leftMillis());
            exchange(to.tls() ? secured(socket) : socket, message);
        } catch (HttpException noAnswer) {
            throw new PushException("the response is not HTTP");
        } catch (IOException failed) {
            if (isOverdue() && !(failed instanceof PushException)) {
                throw new PushException(
                        "no answer within " + timeoutNanos / NANOS_PER_MILLI + " ms");
            }
            throw failed;
        } finally {
            open = null;
        }
    }

    /** Closes a connection that has exceeded the timeout. */
    void stopIfOverdue() {
        Socket socket = open;
        if (socket != null && isOverdue()) {
            try {
                socket.close(); // not the TLS socket, whose close may block on sending an alert
            } catch (IOException closed) {
                // expected
            }
        }
    }

    private boolean isOverdue() {
        return System.nanoTime() - beganNanos >= timeoutNanos;
    }

    private int leftMillis() {
        long leftNanos = timeoutNanos - (System.nanoTime() - beganNanos);
        return Math.clamp(leftNanos / NANOS_PER_MILLI, 1, Integer.MAX_VALUE);
    }

    private void exchange(Socket socket, byte[] message) throws IOException, HttpException {
        // closed by its socket, because its own close would wait for the whole answer
        @SuppressWarnings("resource")
        DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(LIMITS);
        connection.bind(socket);
        ClassicHttpRequest request = request(message);
        connection.sendRequestHeader(request);
        connection.sendRequestEntity(request);
        connection.flush();
        ClassicHttpResponse response = connection.receiveResponseHeader();
        while (response.getCode() < FIRST_FINAL_STATUS) {
            response = connection.receiveResponseHeader();
        }
        connection.receiveResponseEntity(response);
        OtlpResponse.on(response);
    }

    private ClassicHttpRequest request(byte[] message) throws IOException {
        byte[] body = gzip ? compressed(message) : message;
        ClassicHttpRequest request = new BasicClassicHttpRequest("POST", to.target());
        headers.forEach(request::setHeader);
        request.setHeader("Host", to.authority());
        request.setHeader("User-Agent", userAgent);
        request.setHeader("Connection", "close");
        request.setHeader("Content-Type", OtlpResponse.PROTOBUF);
        request.setHeader("Content-Length", body.length);
        request.removeHeaders("Transfer-Encoding");
        request.removeHeaders("Content-Encoding");
        if (gzip) {
            request.setHeader("Content-Encoding", "gzip");
        }
        request.setEntity(new ByteArrayEntity(body, ContentType.create(OtlpResponse.PROTOBUF)));
        return request;
    }

    private static byte[] compressed(byte[] message) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(message.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(message);
        }
        return compressed.toByteArray();
    }

    /**
     * Adds TLS to {@code socket}, with the JVM's default trust and without a client certificate.
     */
    private Socket secured(Socket socket) throws IOException {
        SSLContext context = tls;
        if (context == null) {
            try {
                context = SSLContext.getInstance("TLS");
                context.init(null, null, null);
            } catch (GeneralSecurityException unavailable) {
                throw new IOException("no TLS: " + unavailable.getMessage(), unavailable);
            }
            tls = context;
        }
        SSLSocket secured =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(socket, to.host(), to.port(), false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }
}
