package io.vtagent.exporter.http;

import io.vtagent.log.AgentLog;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.RequestHeaderFieldsTooLargeException;
import org.apache.hc.core5.http.UnsupportedHttpVersionException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;

/**
 * One connection with one request and one answer. There is no second request and no body is read:
 * further input is discarded. One thread runs it; the other methods are for the thread that accepts
 * connections.
 */
final class Exchange implements Runnable {
    static final int MAX_HEAD_BYTES = 32 << 10;
    static final long READ_LIMIT_NANOS = 5_000_000_000L;
    private static final long WRITE_LIMIT_NANOS = 10_000_000_000L;
    private static final long END_LIMIT_NANOS = 1_000_000_000;
    private static final int MAX_BYTES_AFTER = 256 << 10;
    private static final int BUFFER_BYTES = 8 << 10;
    private static final Http1Config LIMITS = Http1Config.custom().setMaxHeaderCount(100).build();

    /** A period in which the peer has to read or write. */
    private record Turn(long sinceNanos, long limitNanos) {}

    private final Socket socket;
    private final Pages pages;
    private volatile @Nullable Turn peers;

    Exchange(Socket socket, Pages pages) {
        this.socket = socket;
        this.pages = pages;
        peers(READ_LIMIT_NANOS);
    }

    /** Returns whether the peer has exceeded its time limit. */
    boolean isOverdue(long nowNanos) {
        Turn turn = peers;
        return turn != null && nowNanos - turn.sinceNanos > turn.limitNanos;
    }

    /**
     * Returns how long the endpoint has been waiting for the peer; 0 while the peer waits for the
     * endpoint.
     */
    long waitedNanos(long nowNanos) {
        Turn turn = peers;
        return turn == null ? 0 : nowNanos - turn.sinceNanos;
    }

    boolean isClosed() {
        return socket.isClosed();
    }

    /** Closes the connection, even if its thread is blocked. */
    void close() {
        try {
            socket.close();
        } catch (IOException closedAnyhow) {
            // no client to report it to
        }
    }

    @Override
    public void run() {
        try (socket) {
            InputStream in = socket.getInputStream();
            Reply reply = new Reply(socket.getOutputStream(), false, false);
            Response answer;
            try {
                ClassicHttpRequest request = read(in);
                if (request == null) {
                    return;
                }
                reply = Reply.to(request, socket.getOutputStream());
                peers = null;
                answer = pages.answer(request);
            } catch (HttpException malformed) {
                answer = Response.text(statusOf(malformed), "malformed request");
            }
            try {
                peers(WRITE_LIMIT_NANOS);
                reply.write(answer);
                if (answer.content() instanceof Content.Events events && !reply.headAlone()) {
                    write(events, reply);
                }
            } finally {
                pages.written(answer);
            }
            awaitEnd(in);
        } catch (IOException gone) {
            AgentLog.debug("the endpoint's connection ended: " + gone);
        }
    }

    private @Nullable ClassicHttpRequest read(InputStream in) throws IOException, HttpException {
        SessionInputBufferImpl buffer = new SessionInputBufferImpl(BUFFER_BYTES);
        ClassicHttpRequest request =
                new DefaultHttpRequestParser(LIMITS).parse(buffer, new Head(in));
        if (request != null && request.getVersion().greaterEquals(HttpVersion.HTTP_2)) {
            throw new UnsupportedHttpVersionException(request.getVersion());
        }
        return request;
    }

    /** Writes events until the peer has disconnected, which a failing write shows. */
    private void write(Content.Events events, Reply reply) throws IOException {
        while (true) {
            peers = null;
            String event = events.feed().next();
            peers(WRITE_LIMIT_NANOS);
            reply.write(event);
        }
    }

    /**
     * Reads until the peer closes. A close while the peer is still sending could destroy the answer
     * (RFC 9112, 9.6).
     */
    private void awaitEnd(InputStream in) throws IOException {
        socket.shutdownOutput();
        peers(END_LIMIT_NANOS);
        byte[] ignored = new byte[BUFFER_BYTES];
        int left = MAX_BYTES_AFTER;
        for (int read = in.read(ignored); read >= 0 && left > 0; read = in.read(ignored)) {
            left -= read;
        }
    }

    private void peers(long limitNanos) {
        peers = new Turn(System.nanoTime(), limitNanos);
    }

    private static int statusOf(HttpException malformed) {
        if (malformed instanceof RequestHeaderFieldsTooLargeException) {
            return HttpStatus.SC_REQUEST_HEADER_FIELDS_TOO_LARGE;
        }
        return malformed instanceof UnsupportedHttpVersionException
                ? HttpStatus.SC_HTTP_VERSION_NOT_SUPPORTED
                : HttpStatus.SC_BAD_REQUEST;
    }

    /** A stream that throws an exception if the head of a request is too long. */
    private static final class Head extends FilterInputStream {
        private int left = MAX_HEAD_BYTES;

        Head(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left == 0) {
                throw new MessageConstraintException("more than " + MAX_HEAD_BYTES + " bytes");
            }
            int read = super.read(into, offset, Math.min(length, left));
            left -= Math.max(read, 0);
            return read;
        }
    }
}
