package io.vtagent.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that wait for a byte of a pipe. The operating system has one sort of them, the JDK two ways to read one: as a
 * channel, for which a virtual thread unmounts, and as a file, for which it does not.
 */
final class FileIoDemo implements DemoCase {

    private static final String FILE = "file";
    private static final String CHANNEL = "channel";
    private static final int READERS = 64;

    @Override
    public String name() {
        return "file-io";
    }

    @Override
    public String shows() {
        return "Virtual threads that wait for a byte of a pipe, read as a file and as a channel: file I/O holds carriers.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "When code on a virtual thread performs blocking I/O, the virtual thread is suspended until it can be"
                                + " resumed, and the operating system's thread is free for others."),
                Claim.of(Article.PINNING, "The JVM does it transparently at I/O boundaries."));
    }

    @Override
    public String comparison() {
        return "For sockets and pipes that are read as channels, yes; for files, no, on either JDK. JDK 21 tells the scheduler"
                + " around a read of a file, and it adds carriers, up to maxPoolSize (256): 64 readers then are 64 platform"
                + " threads. JDK 25 does not, so that eight readers hold the eight carriers, and nobody else runs. That can be a"
                + " deadlock: while the bytes came from a ScheduledThreadPoolExecutor, this case hung, for the next owner of its"
                + " lock had no carrier. JFR has no event for any of it. Most files are on a disk or in memory and do not keep a reader waiting for long; a pipe, a"
                + " terminal or a network file system can.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(FILE, "read by a RandomAccessFile"),
                Variant.of(CHANNEL, "read by a java.nio.channels.Pipe"));
    }

    /** A task is a byte, which is written so long after somebody wants to read it. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 10_000 : 2_000, 10);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Carriers carriers = new Carriers();
        try (Bytes bytes = variant.equals(FILE) ? new Fifos(READERS) : new Pipes(READERS)) {
            Load.warmUp(number -> Thread.sleep(0));
            int rounds = Math.max(settings.tasks() / READERS, 1);
            Writer writer = new Writer(bytes, TimeUnit.MILLISECONDS.toNanos(settings.latencyMillis()));
            double seconds = Load.run(READERS, READERS, number -> {
                for (int round = 0; round < rounds; round++) {
                    writer.writeLater(number);
                    bytes.read(number);
                    carriers.see();
                }
            });
            writer.thread.interrupt();
            writer.thread.join();
            return Result.ofTasks((long) rounds * READERS, seconds).with("carriers", carriers.count());
        }
    }

    /**
     * Writes a byte for each reader that asked for one, some time later. Takes no lock: a reader that was its next owner might have
     * no carrier to run on, since the others wait for this thread.
     */
    private static final class Writer {

        private static final long NOT_ASKED = 0;
        private static final long PERIOD_NANOS = 200_000;

        private final AtomicLongArray askedAtNanos = new AtomicLongArray(READERS);
        private final Bytes bytes;
        private final long laterNanos;
        private final Thread thread;

        Writer(Bytes bytes, long laterNanos) {
            this.bytes = bytes;
            this.laterNanos = laterNanos;
            thread = Thread.ofPlatform().daemon().name("writer").start(this::write);
        }

        void writeLater(int number) {
            askedAtNanos.set(number, System.nanoTime() | 1);
        }

        private void write() {
            try {
                while (!Thread.interrupted()) {
                    for (int number = 0; number < READERS; number++) {
                        long askedNanos = askedAtNanos.get(number);
                        if (askedNanos != NOT_ASKED && System.nanoTime() - askedNanos >= laterNanos) {
                            askedAtNanos.set(number, NOT_ASKED);
                            bytes.write(number);
                        }
                    }
                    LockSupport.parkNanos(PERIOD_NANOS);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** As many pipes as there are readers. */
    private interface Bytes extends AutoCloseable {

        void read(int number) throws IOException;

        void write(int number) throws IOException;

        @Override
        void close() throws IOException;
    }

    private static final class Fifos implements Bytes {

        private final Path folder = Files.createTempDirectory("file-io");
        private final List<RandomAccessFile> files = new ArrayList<>();

        Fifos(int count) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of("mkfifo"));
            for (int i = 0; i < count; i++) {
                command.add(folder.resolve(Integer.toString(i)).toString());
            }
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IOException("mkfifo cannot make pipes in " + folder);
            }
            for (String fifo : command.subList(1, command.size())) {
                files.add(new RandomAccessFile(fifo, "rw")); // opened both ways, it does not wait for another end
            }
        }

        @Override
        public void read(int number) throws IOException {
            files.get(number).read(); // holds a carrier on every JDK
        }

        @Override
        public void write(int number) throws IOException {
            files.get(number).write(1);
        }

        @Override
        public void close() throws IOException {
            for (int i = 0; i < files.size(); i++) {
                files.get(i).close();
                Files.delete(folder.resolve(Integer.toString(i)));
            }
            Files.delete(folder);
        }
    }

    private static final class Pipes implements Bytes {

        private final List<Pipe> pipes = new ArrayList<>();

        Pipes(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                pipes.add(Pipe.open());
            }
        }

        @Override
        public void read(int number) throws IOException {
            pipes.get(number).source().read(ByteBuffer.allocate(1));
        }

        @Override
        public void write(int number) throws IOException {
            pipes.get(number).sink().write(ByteBuffer.wrap(new byte[1]));
        }

        @Override
        public void close() throws IOException {
            for (Pipe pipe : pipes) {
                pipe.source().close();
                pipe.sink().close();
            }
        }
    }
}
