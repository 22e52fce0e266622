package io.vtagent.it.reference;

import java.io.IOException;

/**
 * A class that is loaded, and takes its time to be linked: its code is correct only if one class
 * extends another, which the verifier finds out by having both loaded, by this loader, which sleeps
 * before it finds them.
 */
final class SlowLinkingLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Runnable begun;
    private final byte[] base = FreshInitializer.bytesOf(Base.class);
    private final byte[] derived = FreshInitializer.bytesOf(Derived.class);
    private final Runnable toucher;

    /**
     * @param begun is run before it sleeps
     */
    SlowLinkingLoader(Runnable begun) throws IOException, ReflectiveOperationException {
        super(getPlatformClassLoader());
        this.begun = begun;
        define(FreshInitializer.bytesOf(Linked.class));
        toucher =
                (Runnable)
                        define(FreshInitializer.bytesOf(Toucher.class))
                                .getConstructor()
                                .newInstance();
    }

    /** Has the class linked by the current thread, or waits until another thread has done so. */
    void link() {
        toucher.run();
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.equals(Base.class.getName())) {
            begun.run();
            AwaitedOperation.block();
            return define(base);
        }
        if (name.equals(Derived.class.getName())) {
            return define(derived);
        }
        throw new ClassNotFoundException(name);
    }

    private Class<?> define(byte[] classFile) {
        return defineClass(null, classFile, 0, classFile.length);
    }

    /** A class that the verifier loads first. */
    public static class Base {}

    /** A class that has to be a {@link Base}. */
    public static final class Derived extends Base {}

    /** The class that is linked. */
    public static final class Linked {
        private Linked() {}

        /** Needs the class to be linked. */
        public static void touch() {}

        /** Makes the verifier ask. */
        public static Base verified(Derived derived) {
            return derived;
        }
    }

    /** Refers to it in plain Java. */
    public static final class Toucher implements Runnable {
        @Override
        public void run() {
            Linked.touch();
        }
    }
}
