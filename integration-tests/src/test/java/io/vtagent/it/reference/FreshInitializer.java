package io.vtagent.it.reference;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * A class whose initializer sleeps, loaded but not initialized; a class is initialized once, so
 * there is one for each time.
 */
final class FreshInitializer extends ClassLoader implements Runnable {
    private final Runnable begun;
    private final Class<?> slow;
    private final Runnable toucher;
    private final Method touch;
    private final MethodHandle handle;

    /**
     * @param begun is run by the initializer before it sleeps
     */
    FreshInitializer(Runnable begun) throws IOException, ReflectiveOperationException {
        super(FreshInitializer.class.getClassLoader());
        this.begun = begun;
        slow = define(Slow.class);
        toucher = (Runnable) define(Toucher.class).getConstructor().newInstance();
        touch = slow.getMethod("touch");
        handle =
                MethodHandles.lookup().findStatic(slow, "touch", MethodType.methodType(void.class));
    }

    /** Has it initialized by the current thread, or waits until another thread has done so. */
    void initialize(ClassTrigger via) throws ReflectiveOperationException {
        switch (via) {
            case LINK -> toucher.run();
            case FOR_NAME -> Class.forName(slow.getName(), true, this);
            case REFLECTION -> touch.invoke(null);
            case METHOD_HANDLE -> call();
            case LOAD_CLASS -> throw new IllegalArgumentException("that does not initialize it");
        }
    }

    private void call() {
        try {
            handle.invokeExact();
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    /** Runs in the initializer, which has no other access to this object. */
    @Override
    public void run() {
        begun.run();
        AwaitedOperation.block();
    }

    private Class<?> define(Class<?> type) throws IOException {
        byte[] bytes = bytesOf(type);
        return defineClass(type.getName(), bytes, 0, bytes.length);
    }

    static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("there is no " + file);
            }
            return in.readAllBytes();
        }
    }

    /** The class with the initializer. */
    public static final class Slow {
        static {
            ((Runnable) Slow.class.getClassLoader()).run();
        }

        private Slow() {}

        /** Needs the class to be initialized. */
        public static void touch() {}
    }

    /** Uses it in plain Java. */
    public static final class Toucher implements Runnable {
        @Override
        public void run() {
            Slow.touch();
        }
    }
}
