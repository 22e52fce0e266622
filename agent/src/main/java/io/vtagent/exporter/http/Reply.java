package io.vtagent.exporter.http;

import io.vtagent.exporter.http.Content.Page;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseWriter;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.protocol.HttpDateGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer.
 *
 * @param headAlone whether to omit the body
 * @param gzip whether the peer accepts a compressed body
 */
record Reply(OutputStream out, boolean headAlone, boolean gzip) {
    private static final int BUFFER_BYTES = 8 << 10;

    /** The smallest body to compress. A shorter one fits into a packet or two. */
    private static final int MIN_GZIP_BYTES = 2 << 10;

    /**
     * The headers of every answer, as OWASP's cheat sheet on HTTP headers advises. The page loads
     * only its own files.
     */
    private static final Header[] FIXED_HEADERS = {
        new BasicHeader("Connection", "close"),
        new BasicHeader("Cache-Control", "no-store"),
        new BasicHeader("Vary", "Accept, Accept-Encoding"),
        new BasicHeader("X-Content-Type-Options", "nosniff"),
        new BasicHeader("X-Frame-Options", "DENY"),
        new BasicHeader("Referrer-Policy", "no-referrer"),
        new BasicHeader("Cross-Origin-Resource-Policy", "same-origin"),
        new BasicHeader("Cross-Origin-Opener-Policy", "same-origin"),
        new BasicHeader("Cross-Origin-Embedder-Policy", "require-corp"),
        new BasicHeader("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
        new BasicHeader(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                        + " img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action"
                        + " 'none'")
    };

    static Reply to(ClassicHttpRequest request, OutputStream out) {
        Header encodings = request.getFirstHeader("Accept-Encoding");
        return new Reply(
                out,
                request.getMethod().equals("HEAD"),
                encodings != null && takesGzip(encodings.getValue()));
    }

    private static boolean takesGzip(@Nullable String encodings) {
        if (encodings == null) {
            return false;
        }
        for (String encoding : encodings.split(",", -1)) {
            String plain = encoding.replace(" ", "").toLowerCase(Locale.ROOT);
            if (plain.equals("gzip")
                    || (plain.startsWith("gzip;q=") && !plain.matches("gzip;q=0(\\.0*)?"))) {
                return true;
            }
        }
        return false;
    }

    /** Writes the head and, unless the content is events, the body. */
    void write(Response answer) throws IOException {
        ClassicHttpResponse head = new BasicClassicHttpResponse(answer.status());
        head.setHeaders(FIXED_HEADERS);
        head.addHeader("Date", HttpDateGenerator.INSTANCE.getCurrentDate());
        answer.headers().forEach(head::addHeader);
        if (answer.content() instanceof Page page) {
            write(head, page);
        } else {
            head.addHeader("Content-Type", "text/event-stream; charset=utf-8");
            write(head, new byte[0]);
        }
    }

    private void write(ClassicHttpResponse head, Page page) throws IOException {
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        if (gzip && body.length >= MIN_GZIP_BYTES) {
            body = compressed(body);
            head.addHeader("Content-Encoding", "gzip");
        }
        head.addHeader("Content-Type", page.contentType());
        head.addHeader("Content-Length", body.length);
        if (page.fileName() != null) {
            head.addHeader(
                    "Content-Disposition", "attachment; filename=\"" + page.fileName() + "\"");
        }
        write(head, headAlone ? new byte[0] : body);
    }

    private void write(ClassicHttpResponse head, byte[] body) throws IOException {
        SessionOutputBufferImpl buffer = new SessionOutputBufferImpl(BUFFER_BYTES);
        try {
            new DefaultHttpResponseWriter().write(head, buffer, out);
        } catch (HttpException impossible) {
            throw new IOException(impossible);
        }
        buffer.write(body, out);
        buffer.flush(out);
    }

    /**
     * Writes an event or, if {@code event} is null, a comment, which fails if the client has
     * disconnected.
     */
    void write(@Nullable String event) throws IOException {
        String text = event == null ? ":\n\n" : "data: " + event.replace("\n", "\ndata: ") + "\n\n";
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static byte[] compressed(byte[] body) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        }
        return compressed.toByteArray();
    }
}
