package io.vtagent.it.reference;

import com.sun.jna.Memory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Every thread locks a file of its own that is locked most of the time: by the same process, but
 * through an open file description, whose locks exclude those of a process (fcntl(2), F_OFD_SETLK).
 */
final class FileLocks implements Workload {
    private static final long MILLIS = 10;
    private static final int F_OFD_SETLKW = 38;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    private static final int BYTES_OF_FLOCK = 32;

    private final Path folder = Files.createTempDirectory("reference");
    private final List<FileChannel> channels = new ArrayList<>();
    private final List<Integer> descriptors = new ArrayList<>();
    private final Thread locking = Thread.ofPlatform().unstarted(this::lockAndUnlock);
    private volatile boolean closed;

    FileLocks(int threads, Duration limit) throws IOException {
        for (int i = 0; i < threads; i++) {
            Path file = Files.createFile(folder.resolve(Integer.toString(i)));
            channels.add(FileChannel.open(file, StandardOpenOption.WRITE));
            descriptors.add(LibC.open(file.toString(), LibC.O_RDWR));
        }
        locking.start();
    }

    private void lockAndUnlock() {
        try {
            while (!closed) {
                set(F_WRLCK);
                Thread.sleep(MILLIS);
                set(F_UNLCK);
            }
            descriptors.forEach(LibC::close);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private void set(short type) {
        try (Memory lock = new Memory(BYTES_OF_FLOCK)) {
            lock.clear();
            lock.setShort(0, type);
            for (int descriptor : descriptors) {
                if (LibC.fcntl(descriptor, F_OFD_SETLKW, lock) != 0) {
                    throw new IllegalStateException("fcntl failed");
                }
            }
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        FileLock lock = channels.get(thread).lock();
        lock.release();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        AwaitedOperation.join(locking);
        for (int i = 0; i < channels.size(); i++) {
            channels.get(i).close();
            Files.delete(folder.resolve(Integer.toString(i)));
        }
        Files.delete(folder);
    }
}
