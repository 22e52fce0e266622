package io.vtagent.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a stream that may be a pipe without a reader. A separate thread writes, and exists as
 * long as there is something to write.
 *
 * <p>A caller waits until its text is written. It stops waiting after a limit without progress.
 * From then on callers do not wait at all until the stream makes progress again: up to a megabyte
 * is kept meanwhile, and the rest is dropped.
 *
 * <p>If the JVM cannot start a thread, the stream is treated like a pipe without a reader: the
 * caller does not write itself, because the write might never return. The exception is a security
 * manager that refuses the thread. Thread-safe.
 */
public class BoundedOutput {
    private static final int PIECE_CHARS = 8_192;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final long RETRY_MILLIS = 10;

    private final OutputStream to;
    private final Charset charset;
    private final long limitNanos;
    private final Queue<byte[]> kept = new ArrayDeque<>();
    private int keptBytes;
    private long takenPieces;
    private long writtenPieces;
    private boolean stuck;

    /** False if a security manager refuses the thread; then the caller writes itself. */
    private boolean mayStartThreads = true;

    private @Nullable Thread writer;

    /**
     * The writing thread. Not an {@link io.vtagent.thread.AgentThread}, because those log
     * themselves.
     */
    private final class Writer extends Thread {
        Writer() {
            super(null, null, "vt-agent-log", 0, false);
            setDaemon(true);
            setContextClassLoader(null);
        }

        @Override
        public void run() {
            try {
                writeAll();
            } catch (Throwable passing) { // must not reach the application's handler
                synchronized (BoundedOutput.this) {
                    writer = null;
                }
            }
        }
    }

    /**
     * @param limitNanos the longest wait without progress
     */
    public BoundedOutput(OutputStream to, Charset charset, long limitNanos) {
        this.to = to;
        this.charset = charset;
        this.limitNanos = limitNanos;
    }

    /** Starts the thread that writes, or throws. */
    void start(Thread thread) {
        thread.start();
    }

    /**
     * Writes {@code text}, in pieces of whole lines if it is long. Returns when the text is written
     * or cannot be written.
     */
    public synchronized void write(String text) {
        for (int begin = 0; begin < text.length(); ) {
            int end = endOfPiece(text, begin);
            byte[] piece = PlainText.in(charset, text.substring(begin, end)).getBytes(charset);
            if (keptBytes + piece.length > MAX_KEPT_BYTES) {
                writeKept();
            }
            keep(piece);
            begin = end;
        }
        writeKept();
    }

    private static int endOfPiece(String text, int begin) {
        int most = begin + PIECE_CHARS;
        if (most >= text.length()) {
            return text.length();
        }
        int line = text.lastIndexOf('\n', most - 1);
        return line < begin ? most : line + 1;
    }

    private void keep(byte[] piece) {
        if (keptBytes + piece.length <= MAX_KEPT_BYTES) {
            kept.add(piece);
            keptBytes += piece.length;
            takenPieces++;
        }
    }

    /** Starts a writer unless there is one. Returns false if none can be started now. */
    private boolean hasWriter() {
        try {
            if (writer == null) {
                Thread next = new Writer();
                start(next);
                writer = next;
            }
            return true;
        } catch (SecurityException refused) {
            mayStartThreads = false;
            return false;
        } catch (Throwable noThread) {
            return false;
        }
    }

    /** Waits until the kept pieces have been written. */
    private void writeKept() {
        long pieces = takenPieces;
        boolean interrupted = false;
        long written = writtenPieces;
        long sinceNanos = System.nanoTime();
        boolean writes = hasWriter();
        if (!writes && !mayStartThreads) {
            writeAll();
            return;
        }
        while (writtenPieces < pieces && !stuck) {
            long leftMillis =
                    TimeUnit.NANOSECONDS.toMillis(limitNanos - (System.nanoTime() - sinceNanos));
            if (leftMillis <= 0) {
                stuck = true;
                break;
            }
            try {
                wait(writes ? leftMillis : Math.min(leftMillis, RETRY_MILLIS));
            } catch (InterruptedException theApplicationsDoing) {
                interrupted = true;
            }
            writes = writes || hasWriter();
            if (writtenPieces > written) {
                written = writtenPieces;
                sinceNanos = System.nanoTime();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll() {
        for (byte[] piece = next(); piece != null; piece = next()) {
            write(piece);
            written(piece);
        }
    }

    /**
     * Returns the next piece to write; null if there is none, and then this thread is no longer the
     * writer.
     */
    private synchronized byte @Nullable [] next() {
        byte[] piece = kept.poll();
        if (piece == null) {
            writer = null;
        }
        return piece;
    }

    private void write(byte[] piece) {
        try {
            to.write(piece);
            to.flush();
        } catch (IOException | RuntimeException | Error closed) {
            // cannot be reported
        }
    }

    private synchronized void written(byte[] piece) {
        keptBytes -= piece.length;
        writtenPieces++;
        stuck = false;
        notifyAll();
    }
}
