package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code THREADS ROUNDS}: that many virtual threads load classes and do everything that a sensor
 * records, again and again, until the test ends it. {@code ROUNDS} times it prints that they have
 * done all of it once more. Any failure ends the JVM.
 */
public final class EndlessPins {
    /** The monitor that all of them contend for, also those of other class loaders. */
    public static final Object SHARED = new Object();

    private static final int ROUNDS_ANEW = 200;
    private static final AtomicLong ROUNDS = new AtomicLong();
    private static volatile boolean over;

    private EndlessPins() {}

    /** Another class of that name, in each loader another one. */
    public static final class Loaded implements Runnable {
        private int entered;

        @Override
        public synchronized void run() {
            synchronized (SHARED) {
                entered++;
            }
            if (entered != 1) {
                throw new AssertionError("entered " + entered);
            }
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(EndlessPins.class.getClassLoader());
        }

        Runnable load() throws Exception {
            String name = Loaded.class.getName();
            try (InputStream in =
                    EndlessPins.class.getResourceAsStream(
                            "/" + name.replace('.', '/') + ".class")) {
                byte[] classFile = in.readAllBytes();
                return (Runnable)
                        defineClass(name, classFile, 0, classFile.length)
                                .getConstructor()
                                .newInstance();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Files.createTempFile("unending", ".bin");
        Files.write(file, new byte[1 << 12]);
        var threads =
                Tasks.start(
                        Integer.parseInt(arguments[0]),
                        number -> {
                            while (!over) {
                                round(file);
                                ROUNDS.incrementAndGet();
                            }
                        });
        WorkloadConsole.printAndWait("running");
        for (int asked = 1; asked <= Integer.parseInt(arguments[1]); asked++) {
            long enough = ROUNDS.get() + ROUNDS_ANEW;
            while (ROUNDS.get() < enough) {
                LockSupport.parkNanos(1_000_000);
            }
            WorkloadConsole.printAndWait("anew" + asked);
        }
        over = true;
        Tasks.join(threads);
        Files.delete(file);
        WorkloadConsole.done();
    }

    private static void round(Path file) throws Exception {
        switch (ThreadLocalRandom.current().nextInt(100)) {
            // rarely: the more classes there are, the longer it takes the JVM to change any
            case 0 -> new Loader().load().run();
            case 1, 2, 3, 4, 5, 6, 7, 8, 9 -> read(file);
            case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> waitIn();
            case 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 -> sleepInBlock();
            case 30, 31, 32, 33, 34, 35, 36, 37, 38, 39 -> sleepInMethod();
            default -> Thread.sleep(1);
        }
    }

    private static synchronized void sleepInMethod() throws InterruptedException {
        Thread.sleep(1);
    }

    private static void sleepInBlock() throws InterruptedException {
        synchronized (SHARED) {
            Thread.sleep(1);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private static void waitIn() throws InterruptedException {
        Object own = new Object();
        synchronized (own) {
            own.wait(1);
        }
    }

    private static void read(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            if (open.read() != 0) {
                throw new AssertionError("another file");
            }
        }
    }
}
