package io.vtagent.it.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;

/** A native library that waits for the lock of a file, which one of them has for a while. */
final class NativeLock implements Workload {
    private static final int MICROS = 5_000;

    private final Path file = Files.createTempFile("reference", ".lock");
    private final int[] descriptors;

    NativeLock(int threads, Duration limit) throws IOException {
        // one each, since the lock belongs to what was opened and not to a thread
        descriptors =
                IntStream.range(0, threads)
                        .map(number -> checked(LibC.open(file.toString(), LibC.O_RDWR)))
                        .toArray();
    }

    @Override
    public void hold(int thread, int round) {
        checked(LibC.flock(descriptors[thread], LibC.LOCK_EX));
        checked(LibC.usleep(MICROS));
        checked(LibC.flock(descriptors[thread], LibC.LOCK_UN));
    }

    private static int checked(int result) {
        if (result < 0) {
            throw new IllegalStateException("the C library failed");
        }
        return result;
    }

    @Override
    public void close() throws IOException {
        for (int descriptor : descriptors) {
            checked(LibC.close(descriptor));
        }
        Files.delete(file);
    }
}
