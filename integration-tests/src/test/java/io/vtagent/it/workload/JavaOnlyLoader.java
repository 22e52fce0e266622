package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * {@code MAIN ARGUMENTS}: runs another workload in a class loader that delegates {@code java.*} and
 * nothing else, and prints whether the class was wrapped: a {@code synchronized} method shows it.
 */
public final class JavaOnlyLoader extends ClassLoader {

    private JavaOnlyLoader() {
        super("java-only", null);
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> main = new JavaOnlyLoader().loadClass(arguments[0]);
        WorkloadConsole.fact(
                "wrapped",
                Arrays.stream(main.getDeclaredMethods())
                        .noneMatch(method -> Modifier.isSynchronized(method.getModifiers())));
        try {
            main.getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(thrown.getCause());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.")) {
            return getPlatformClassLoader().loadClass(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = in.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
