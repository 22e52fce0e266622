package io.vtagent.it.reference;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A workload in rounds. In every round one thread runs the initializer of a class, which sleeps,
 * and the others wait for it. A class is initialized once, so there is one for each round: the same
 * one, by many loaders.
 */
final class ClassInitializers implements Workload {
    private static final long MILLIS = 20;

    private final List<Runnable> rounds = new ArrayList<>();

    ClassInitializers(int threads, Duration limit)
            throws IOException, ReflectiveOperationException {
        byte[] slow = bytesOf(Slow.class);
        byte[] toucher = bytesOf(Toucher.class);
        for (long i = limit.toMillis() / MILLIS + 2; i > 0; i--) {
            rounds.add(new Loader(slow, toucher).toucher());
        }
    }

    @Override
    public void hold(int thread, int round) {
        rounds.get(round).run();
    }

    /** The class with the initializer. */
    static final class Slow {
        static {
            try {
                Thread.sleep(MILLIS);
            } catch (InterruptedException nobodyDoes) {
                throw new IllegalStateException(nobodyDoes);
            }
        }

        private Slow() {}

        static void initialize() {}
    }

    /** Uses it in plain Java, so that there is neither reflection nor native code on the stack. */
    public static final class Toucher implements Runnable {
        @Override
        public void run() {
            Slow.initialize();
        }
    }

    /**
     * A loader with a {@link Slow} of its own, loaded but not initialized, and a {@link Toucher}
     * that sees it.
     */
    private static final class Loader extends ClassLoader {
        private final Class<?> toucher;

        Loader(byte[] slow, byte[] toucher) {
            super(ClassInitializers.class.getClassLoader());
            defineClass(null, slow, 0, slow.length);
            this.toucher = defineClass(null, toucher, 0, toucher.length);
        }

        Runnable toucher() throws ReflectiveOperationException {
            return (Runnable) toucher.getConstructor().newInstance();
        }
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("there is no " + file);
            }
            return in.readAllBytes();
        }
    }
}
