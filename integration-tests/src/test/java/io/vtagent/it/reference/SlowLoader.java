package io.vtagent.it.reference;

import java.io.IOException;

/**
 * A class loader of one's own that blocks before it finds its one class, as if that came over the
 * network.
 */
class SlowLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Runnable begun;
    private final Runnable block;
    private final byte[] bytes = FreshInitializer.bytesOf(Found.class);
    private final Runnable toucher;

    /**
     * @param begun is run before it blocks
     * @param block takes {@link AwaitedOperation#MILLIS}
     */
    SlowLoader(Runnable begun, Runnable block) throws IOException, ReflectiveOperationException {
        super(getPlatformClassLoader());
        this.begun = begun;
        this.block = block;
        byte[] touching = FreshInitializer.bytesOf(Toucher.class);
        toucher =
                (Runnable)
                        defineClass(null, touching, 0, touching.length)
                                .getConstructor()
                                .newInstance();
    }

    /**
     * One that is not registered as parallel capable, so that the JVM locks it before it calls it.
     */
    static final class LockedLoader extends SlowLoader {
        LockedLoader(Runnable begun, Runnable block)
                throws IOException, ReflectiveOperationException {
            super(begun, block);
        }
    }

    /** Has the class loaded by the current thread, or waits until another thread has done so. */
    final void load(ClassTrigger via) throws ClassNotFoundException {
        switch (via) {
            case LINK -> toucher.run();
            case FOR_NAME -> Class.forName(Found.class.getName(), false, this);
            case LOAD_CLASS -> loadClass(Found.class.getName());
            case REFLECTION, METHOD_HANDLE ->
                    throw new IllegalArgumentException("that does not load it");
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!name.equals(Found.class.getName())) {
            throw new ClassNotFoundException(name);
        }
        begun.run();
        block.run();
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** The class that it finds. */
    public static final class Found {
        private Found() {}

        /** Needs the class to be loaded. */
        public static void touch() {}
    }

    /** Refers to it in plain Java. */
    public static final class Toucher implements Runnable {
        @Override
        public void run() {
            Found.touch();
        }
    }
}
