package io.vtagent.demo.fileio;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Carriers;
import io.vtagent.demo.workload.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that wait for a byte of a pipe. The operating system has one sort of them, the
 * JDK two ways to read one: as a channel, for which a virtual thread unmounts, and as a file, for
 * which it does not.
 */
public final class FileIoDemo implements DemoCase {

    private static final String FILE = "file";
    private static final String CHANNEL = "channel";
    private static final int READERS = 64;

    @Override
    public String name() {
        return "file-io";
    }

    @Override
    public String shows() {
        return "Virtual threads that wait for a byte of a pipe, read as a file and as a channel:"
                + " file I/O holds carriers.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "When code on a virtual thread performs blocking I/O, the virtual thread is"
                                + " suspended until it can be resumed, and the operating system's"
                                + " thread is free for others."),
                Claim.of(Article.PINNING, "The JVM does it transparently at I/O boundaries."));
    }

    @Override
    public String comparison() {
        return "For sockets and pipes that are read as channels, yes; for files, no, on either JDK."
                + " JDK 21 tells the scheduler around a read of a file, and it adds carriers, up"
                + " to maxPoolSize (256): 64 readers then are 64 platform threads. JDK 25 does"
                + " not, so that eight readers hold the eight carriers, and nobody else runs."
                + " That can be a deadlock: while the bytes came from a"
                + " ScheduledThreadPoolExecutor, this case hung, for the next owner of its lock"
                + " had no carrier. JFR has no event for any of it. Most files are on a disk or"
                + " in memory and do not keep a reader waiting for long; a pipe, a terminal or a"
                + " network file system can.";
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

    /** A task is a byte, which is written that long after a thread wants to read it. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 10_000 : 2_000, 10);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Carriers carriers = new Carriers();
        try (Pipes pipes =
                variant.equals(FILE) ? new Pipes.OfFiles(READERS) : new Pipes.OfChannels(READERS)) {
            Load.warmUp(number -> Thread.sleep(0));
            int rounds = Math.max(settings.tasks() / READERS, 1);
            Writer writer =
                    new Writer(pipes, TimeUnit.MILLISECONDS.toNanos(settings.latencyMillis()));
            try {
                double seconds =
                        Load.run(
                                READERS,
                                READERS,
                                number -> {
                                    for (int round = 0; round < rounds; round++) {
                                        writer.writeLater(number);
                                        pipes.read(number);
                                        carriers.see();
                                    }
                                });
                return Result.ofTasks((long) rounds * READERS, seconds)
                        .with("carriers", carriers.count());
            } finally {
                writer.thread.interrupt();
                writer.thread.join();
            }
        }
    }

    /**
     * Writes a byte for each reader that asked for one, some time later. Takes no lock: a reader
     * that was its next owner might have no carrier to run on, since the others wait for this
     * thread.
     */
    private static final class Writer {

        private static final long NOT_ASKED = 0;
        private static final long PERIOD_NANOS = 200_000;

        private final AtomicLongArray askedAtNanos = new AtomicLongArray(READERS);
        private final Pipes pipes;
        private final long laterNanos;
        private final Thread thread;

        Writer(Pipes pipes, long laterNanos) {
            this.pipes = pipes;
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
                        if (askedNanos != NOT_ASKED
                                && System.nanoTime() - askedNanos >= laterNanos) {
                            askedAtNanos.set(number, NOT_ASKED);
                            pipes.write(number);
                        }
                    }
                    LockSupport.parkNanos(PERIOD_NANOS);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
