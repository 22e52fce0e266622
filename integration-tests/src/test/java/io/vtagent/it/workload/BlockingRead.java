package io.vtagent.it.workload;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * {@code FIFO MILLIS}: a virtual thread reads a file that is empty for that long. JDK 21 brackets
 * that with {@code Blocker}, JDK 25 does not.
 */
public final class BlockingRead {
    private BlockingRead() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path fifo = Path.of(arguments[0]);
        if (new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() != 0) {
            throw new IOException("cannot make " + fifo);
        }
        // for reading and writing: this does not wait for the other end
        try (RandomAccessFile file = new RandomAccessFile(fifo.toFile(), "rw")) {
            WorkloadConsole.warmUp();
            Thread reading = Tasks.start(1, number -> file.read()).getFirst();
            Thread.sleep(Long.parseLong(arguments[1]));
            file.write(1);
            reading.join();
        }
        WorkloadConsole.done();
    }
}
