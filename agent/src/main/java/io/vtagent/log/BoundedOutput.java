package io.vtagent.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes to what may be a pipe that nobody reads, on a thread of its own for as long as there is something to write. Who has something
 * waits until it is written, but not for longer than a limit in which nothing more of it can be written, and from then on not at all
 * until that has changed: what is to be written meanwhile is kept, up to a megabyte, and the rest is dropped. Thread-safe.
 */
public final class BoundedOutput {
    private static final int PIECE_CHARS = 8_192;
    private static final int MOST_KEPT_BYTES = 1 << 20;

    private final OutputStream to;
    private final Charset charset;
    private final long limitNanos;
    private final Queue<byte[]> kept = new ArrayDeque<>();
    private int keptBytes;
    private long takenPieces;
    private long writtenPieces;
    private boolean stuck;
    private @Nullable Writer writer;

    /** Like those of {@link io.vtagent.thread.AgentThread}, which itself has lines to write. */
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
            } catch (Throwable passing) { // the application's handler of uncaught exceptions is not for the agent's
                synchronized (BoundedOutput.this) {
                    writer = null;
                }
            }
        }
    }

    /** @param limitNanos how long without progress somebody waits */
    public BoundedOutput(OutputStream to, Charset charset, long limitNanos) {
        this.to = to;
        this.charset = charset;
        this.limitNanos = limitNanos;
    }

    /** Writes {@code text}, in pieces of whole lines where it is long. Returns when that is done, or cannot be done. */
    public synchronized void write(String text) {
        for (int begin = 0; begin < text.length(); ) {
            int end = endOfPiece(text, begin);
            byte[] piece = text.substring(begin, end).getBytes(charset);
            if (keptBytes + piece.length > MOST_KEPT_BYTES) {
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
        if (keptBytes + piece.length <= MOST_KEPT_BYTES) {
            kept.add(piece);
            keptBytes += piece.length;
            takenPieces++;
        }
    }

    /** Waits until a thread has written what is kept. Where none can be started, that is done here and now. */
    private void writeKept() {
        try {
            if (writer == null) {
                Writer starting = new Writer();
                starting.start();
                writer = starting;
            }
        } catch (Throwable noThread) {
            writeAll();
            return;
        }
        awaitWritten(takenPieces);
    }

    private void awaitWritten(long pieces) {
        boolean interrupted = false;
        long written = writtenPieces;
        long sinceNanos = System.nanoTime();
        while (writtenPieces < pieces && !stuck) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(limitNanos - (System.nanoTime() - sinceNanos));
            if (leftMillis <= 0) {
                stuck = true;
                break;
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException theApplicationsDoing) {
                interrupted = true;
            }
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

    /** What is to be written next; null if there is nothing, and then this thread is not the writer any more. */
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
            // then nobody can be told
        }
    }

    private synchronized void written(byte[] piece) {
        keptBytes -= piece.length;
        writtenPieces++;
        stuck = false;
        notifyAll();
    }
}
