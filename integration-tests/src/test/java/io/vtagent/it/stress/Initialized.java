package io.vtagent.it.stress;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A class that is loaded again and again, each time by a loader of its own. It has a monitor, and
 * pins while it is initialized.
 */
final class Initialized {
    private static final byte[] BYTES = read();
    private static final String NAME = Initialized.class.getName() + "$Fresh";

    private Initialized() {}

    /** Is copied. */
    static final class Fresh implements Runnable {
        static {
            LockSupport.parkNanos(100_000);
        }

        @Override
        public synchronized void run() {
            LockSupport.parkNanos(10_000);
        }
    }

    /** Delegates everything but the one class. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(Initialized.class.getClassLoader());
        }

        Class<?> define() {
            return defineClass(NAME, BYTES, 0, BYTES.length);
        }
    }

    /** Loads, initializes and runs it: its loader. */
    static ClassLoader inLoaderOfItsOwn() {
        try {
            Loader loader = new Loader();
            var constructor = loader.define().getDeclaredConstructor();
            constructor.setAccessible(true);
            ((Runnable) constructor.newInstance()).run();
            return loader;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] read() {
        try (InputStream in = Initialized.class.getResourceAsStream("Initialized$Fresh.class")) {
            if (in == null) {
                throw new IllegalStateException("no class file");
            }
            return in.readAllBytes();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
