package io.vtagent.it.workload;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS}: virtual threads that read a file over and over, which the operating
 * system has in memory: they only wait for a CPU.
 */
public final class CachedReads {
    private static final int BYTES = 1 << 20;

    private CachedReads() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long nanos = Long.parseLong(arguments[1]) * 1_000_000;
        Path file = Files.createTempFile("cached", "");
        try {
            Files.write(file, new byte[BYTES]);
            WorkloadConsole.warmUp();
            LongAdder reads = new LongAdder();
            long beganNanos = System.nanoTime();
            List<Thread> reading =
                    Tasks.start(threads, number -> reads.add(read(file, beganNanos + nanos)));
            Tasks.join(reading);
            WorkloadConsole.fact("seconds", threads * (System.nanoTime() - beganNanos) / 1e9);
            WorkloadConsole.fact("reads", reads.sum());
            WorkloadConsole.done();
        } finally {
            Files.delete(file);
        }
    }

    private static long read(Path file, long untilNanos) {
        byte[] bytes = new byte[BYTES];
        long reads = 0;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            while (System.nanoTime() < untilNanos) {
                open.seek(0);
                open.readFully(bytes);
                reads++;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return reads;
    }
}
