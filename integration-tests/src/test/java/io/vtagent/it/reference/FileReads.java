package io.vtagent.it.reference;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads of empty files: each thread reads a FIFO of its own, into which another thread writes once
 * in a while. JDK 21 brackets that with {@code jdk.internal.misc.Blocker}, JDK 25 does not.
 */
final class FileReads implements Workload {
    private static final long MILLIS = 10;

    private final Path folder = Files.createTempDirectory("reference");
    private final List<RandomAccessFile> files = new ArrayList<>();
    private volatile boolean closed;

    FileReads(int threads, Duration limit) throws IOException, InterruptedException {
        for (int i = 0; i < threads; i++) {
            Path fifo = folder.resolve(Integer.toString(i));
            if (new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() != 0) {
                throw new IOException("cannot make " + fifo);
            }
            // for reading and writing: this does not wait for the other end
            files.add(new RandomAccessFile(fifo.toFile(), "rw"));
        }
        Thread.ofPlatform().start(this::write);
    }

    private void write() {
        try {
            while (!closed) {
                Thread.sleep(MILLIS);
                for (RandomAccessFile file : files) {
                    file.write(1);
                }
            }
        } catch (IOException | InterruptedException failed) {
            if (!closed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        if (files.get(thread).read() != 1) {
            throw new IllegalStateException("nothing to read");
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (int i = 0; i < files.size(); i++) {
            files.get(i).close();
            Files.delete(folder.resolve(Integer.toString(i)));
        }
        Files.delete(folder);
    }
}
