package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * {@code THREADS MILLIS loads|dumps}: that many virtual threads yield for that long, while a
 * platform thread loads one class after the other, or makes one thread dump after the other. It
 * prints the sum of the times of the virtual threads.
 */
public final class Switching {
    private static volatile boolean ending;

    private Switching() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int threads = Integer.parseInt(arguments[0]);
        byte[] bytes = bytesOf(Loaded.class);
        Runnable once =
                arguments[2].equals("loads")
                        ? () -> new Definer(bytes)
                        : () -> ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        WorkloadConsole.warmUp();
        Thread beside = Thread.ofPlatform().start(() -> againAndAgain(once));
        long began = System.nanoTime();
        List<Thread> switching = Tasks.start(threads, number -> againAndAgain(Thread::yield));
        Thread.sleep(Long.parseLong(arguments[1]));
        ending = true;
        beside.join();
        Tasks.join(switching);
        WorkloadConsole.fact("seconds", (System.nanoTime() - began) / 1e9);
        WorkloadConsole.done();
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("there is no " + file);
            }
            return in.readAllBytes();
        }
    }

    private static void againAndAgain(Runnable once) {
        while (!ending) {
            once.run();
        }
    }

    /** Its class is another one each time. */
    private static final class Definer extends ClassLoader {
        Definer(byte[] bytes) {
            super(null);
            Class<?> unused = defineClass(Loaded.class.getName(), bytes, 0, bytes.length);
        }
    }

    private static final class Loaded {}
}
