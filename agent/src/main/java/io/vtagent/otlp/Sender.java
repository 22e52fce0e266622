package io.vtagent.otlp;

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
 * Sends requests by HTTP, each over a connection of its own. Not by {@code HttpURLConnection}: that would ask the application's cookie
 * handler, authenticator, proxy selector and stream handlers, send its client certificate, and keep connections and a thread; nor with
 * {@code SSLContext.getDefault()}, which is made once, of properties that the application may set later.
 *
 * <p>One thread sends. Any other may {@link #stopIfOverdue}: a write, a handshake and an answer that drips have no time limit of their own.
 */
final class Sender {
    private static final Http1Config LIMITS = Http1Config.custom()
            .setMaxLineLength(8 << 10)
            .setMaxHeaderCount(100)
            .build();
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

    /** From now on, also for what is being sent. */
    void limit(long nanos) {
        timeoutNanos = Math.min(timeoutNanos, nanos);
    }

    /** @throws IOException if it cannot be sent, or takes too long, or is not taken */
    void send(byte[] message) throws IOException {
        beganNanos = System.nanoTime();
        try (Socket socket = new Socket(Proxy.NO_PROXY)) { // not the application's SOCKS proxy
            open = socket;
            socket.setSoTimeout(leftMillis());
            socket.connect(new InetSocketAddress(to.host(), to.port()), leftMillis());
            exchange(to.tls() ? secured(socket) : socket, message);
        } catch (HttpException noAnswer) {
            throw new PushException("what answers does not speak HTTP");
        } catch (IOException failed) {
            if (isOverdue() && !(failed instanceof PushException)) {
                throw new PushException("no answer within " + timeoutNanos / NANOS_PER_MILLI + " ms");
            }
            throw failed;
        } finally {
            open = null;
        }
    }

    /** Closes a connection that has been open for too long. */
    void stopIfOverdue() {
        Socket socket = open;
        if (socket != null && isOverdue()) {
            try {
                socket.close(); // not the one with TLS on it, which might wait to say so
            } catch (IOException closed) {
                // as it should
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
        // closed by its socket: to close it otherwise would be to wait until all of an answer has come
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
        Verdict.on(response);
    }

    private ClassicHttpRequest request(byte[] message) throws IOException {
        byte[] body = gzip ? compressed(message) : message;
        ClassicHttpRequest request = new BasicClassicHttpRequest("POST", to.target());
        headers.forEach(request::setHeader);
        request.setHeader("Host", to.authority());
        request.setHeader("User-Agent", userAgent);
        request.setHeader("Connection", "close");
        request.setHeader("Content-Type", Verdict.PROTOBUF);
        request.setHeader("Content-Length", body.length);
        request.removeHeaders("Transfer-Encoding");
        request.removeHeaders("Content-Encoding");
        if (gzip) {
            request.setHeader("Content-Encoding", "gzip");
        }
        request.setEntity(new ByteArrayEntity(body, ContentType.create(Verdict.PROTOBUF)));
        return request;
    }

    private static byte[] compressed(byte[] message) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(message.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(message);
        }
        return compressed.toByteArray();
    }

    /** Trusts whom the JVM trusts, and has no certificate of its own. */
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
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(socket, to.host(), to.port(), false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }
}
