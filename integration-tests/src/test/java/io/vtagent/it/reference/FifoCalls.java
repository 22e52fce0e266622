package io.vtagent.it.reference;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Every thread calls an operation on a FIFO of its own, which blocks until a platform thread has
 * done its part at the other end.
 */
final class FifoCalls implements Workload {
    private static final long MILLIS = 10;
    private static final int PAGE = 4_096;
    private static final int CAPACITY = 16 * PAGE;

    private final Path folder = Files.createTempDirectory("reference");
    private final List<End> ends = new ArrayList<>();
    private final Thread unblocking = Thread.ofPlatform().unstarted(this::unblock);
    private volatile boolean closed;

    /** Both ends of a FIFO. */
    private interface End {
        void block() throws IOException;

        void unblock() throws IOException;

        void close() throws IOException;
    }

    /** A way to open one. */
    private interface Opening {
        End open(Path fifo) throws IOException;
    }

    private FifoCalls(int threads, Opening opening) throws IOException, InterruptedException {
        for (int i = 0; i < threads; i++) {
            Path fifo = folder.resolve(Integer.toString(i));
            if (new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() != 0) {
                throw new IOException("cannot make " + fifo);
            }
            ends.add(opening.open(fifo));
        }
        unblocking.start();
    }

    static Factory opens() {
        return (threads, limit) -> new FifoCalls(threads, Opens::new);
    }

    static Factory readsOfChannels() {
        return (threads, limit) -> new FifoCalls(threads, ReadsOfChannel::new);
    }

    static Factory synchronousWrites() {
        return (threads, limit) -> new FifoCalls(threads, SynchronousWrites::new);
    }

    private void unblock() {
        try {
            while (!closed) {
                Thread.sleep(MILLIS);
                for (End end : ends) {
                    end.unblock();
                }
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        ends.get(thread).block();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        AwaitedOperation.join(unblocking);
        for (int i = 0; i < ends.size(); i++) {
            ends.get(i).close();
            Files.delete(folder.resolve(Integer.toString(i)));
        }
        Files.delete(folder);
    }

    /** A FIFO is opened for reading when it is opened for writing. */
    private static final class Opens implements End {
        private final Path fifo;

        Opens(Path fifo) {
            this.fifo = fifo;
        }

        @Override
        public void block() throws IOException {
            new FileInputStream(fifo.toFile()).close();
        }

        @Override
        public void unblock() throws IOException {
            // for reading and writing: this does not wait for the other end
            FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
        }

        @Override
        public void close() {
            // nothing stays open
        }
    }

    private static final class ReadsOfChannel implements End {
        private final FileChannel read;

        /** A channel is locked while it reads. */
        private final RandomAccessFile written;

        ReadsOfChannel(Path fifo) throws IOException {
            read = FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
            written = new RandomAccessFile(fifo.toFile(), "rw");
        }

        @Override
        public void block() throws IOException {
            if (read.read(ByteBuffer.allocate(1)) != 1) {
                throw new IllegalStateException("nothing to read");
            }
        }

        @Override
        public void unblock() throws IOException {
            written.write(1);
        }

        @Override
        public void close() throws IOException {
            read.close();
            written.close();
        }
    }

    /** A FIFO that is full. */
    private static final class SynchronousWrites implements End {
        private final RandomAccessFile written;
        private final RandomAccessFile read;

        SynchronousWrites(Path fifo) throws IOException {
            written = new RandomAccessFile(fifo.toFile(), "rwd");
            read = new RandomAccessFile(fifo.toFile(), "rw");
            written.write(new byte[CAPACITY]);
        }

        @Override
        public void block() throws IOException {
            written.write(new byte[PAGE]);
        }

        @Override
        public void unblock() throws IOException {
            read.readFully(new byte[PAGE]);
        }

        @Override
        public void close() throws IOException {
            written.close();
            read.close();
        }
    }
}
