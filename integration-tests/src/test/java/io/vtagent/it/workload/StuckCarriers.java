package io.vtagent.it.workload;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code monitor|wait|inNative|inFile|exit|ending THREADS}: one virtual thread for each carrier
 * blocks in that way until the test ends it, and then pins once more. {@code exit} ends while they
 * wait, {@code ending} hangs in a shutdown hook.
 */
public final class StuckCarriers {
    /** The exit code of {@code exit} and {@code ending}. */
    public static final int EXIT_CODE = 7;

    private static final Object MONITOR = new Object();
    private static volatile boolean released;
    private static volatile @Nullable File pipe;

    private StuckCarriers() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("ending")) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .unstarted(() -> WorkloadConsole.printAndWait("ending")));
            System.exit(EXIT_CODE);
        }
        RandomAccessFile writer = arguments[0].equals("inFile") ? pipe() : null;
        boolean exits = arguments[0].equals("exit");
        Method block =
                StuckCarriers.class.getDeclaredMethod(
                        exits ? "wait" : arguments[0], CountDownLatch.class);
        CountDownLatch begun = new CountDownLatch(threads);
        List<Thread> stuck;
        synchronized (StuckCarriers.class) {
            // below a native frame a thread cannot unmount on any JDK
            stuck = Tasks.start(threads, number -> block.invoke(null, begun));
            begun.await();
            Thread.startVirtualThread(() -> {});
            if (exits) {
                System.exit(EXIT_CODE);
            }
            WorkloadConsole.printAndWait("stuck");
        }
        released = true;
        synchronized (MONITOR) {
            MONITOR.notifyAll();
        }
        if (writer != null) {
            writer.write(new byte[threads]);
        }
        Tasks.join(stuck);
        WorkloadConsole.printAndWait("free");
        Method park = StuckCarriers.class.getDeclaredMethod("park");
        Tasks.run(threads, number -> park.invoke(null));
        WorkloadConsole.fact("pins", threads);
        WorkloadConsole.printAndWait("pinned");
    }

    static void monitor(CountDownLatch begun) {
        begun.countDown();
        synchronized (StuckCarriers.class) {
            Thread.onSpinWait();
        }
    }

    static void wait(CountDownLatch begun) throws InterruptedException {
        synchronized (MONITOR) {
            begun.countDown();
            while (!released) {
                MONITOR.wait();
            }
        }
    }

    static void inNative(CountDownLatch begun) {
        begun.countDown();
        while (!released) {
            LibC.usleep(900_000);
        }
    }

    static void inFile(CountDownLatch begun) throws IOException {
        try (InputStream in = new FileInputStream(Objects.requireNonNull(pipe))) {
            begun.countDown();
            int unused = in.read();
        }
    }

    /** Opens a named pipe for writing, which is empty until then. */
    private static RandomAccessFile pipe() throws IOException, InterruptedException {
        File made = new File(Files.createTempDirectory("pipe").toFile(), "pipe");
        int failed = new ProcessBuilder("mkfifo", made.getPath()).start().waitFor();
        if (failed != 0) {
            throw new IOException("mkfifo ended with " + failed);
        }
        pipe = made;
        return new RandomAccessFile(made, "rw");
    }

    static void park() {
        LockSupport.parkNanos(2_000_000);
    }
}
