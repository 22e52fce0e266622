package io.vtagent.it.reference;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A thread of Linux, read through {@code /proc}. The files stay open: to read one again takes a
 * microsecond.
 */
final class KernelThread {
    private static final int MAX_BYTES = 512;

    private final String id;
    private final RandomAccessFile stat;
    private final RandomAccessFile schedstat;
    private final byte[] bytes = new byte[MAX_BYTES];
    private long runDelayNanos;

    KernelThread(String id) throws FileNotFoundException {
        this.id = id;
        stat = new RandomAccessFile(KernelThreads.TASKS + "/" + id + "/stat", "r");
        schedstat = new RandomAccessFile(KernelThreads.TASKS + "/" + id + "/schedstat", "r");
    }

    String id() {
        return id;
    }

    /** Returns whether it waits for something other than a CPU. */
    boolean isOffCpu() {
        String line = read(stat);
        // the state follows the name, which stands in parentheses and may contain some
        int state = line.lastIndexOf(')') + 2;
        return state < line.length() && (line.charAt(state) == 'S' || line.charAt(state) == 'D');
    }

    /**
     * Returns how long it was ready and had no CPU, until it ran last; of a thread that has ended,
     * as far as it is known.
     */
    long runDelayNanos() {
        String[] figures = read(schedstat).split(" ", -1);
        if (figures.length > 1) {
            runDelayNanos = Long.parseLong(figures[1]);
        }
        return runDelayNanos;
    }

    /** Empty if the thread has ended. */
    private String read(RandomAccessFile file) {
        try {
            file.seek(0);
            int length = file.read(bytes);
            return length < 0 ? "" : new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    void close() {
        try {
            stat.close();
            schedstat.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
