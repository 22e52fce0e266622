package io.vtagent.compatibility.launch;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** {@code JAR}: the known pins in a class loader that delegates {@code java.*} and nothing else. */
public final class JavaOnly extends URLClassLoader {

    private JavaOnly(URL jar) {
        super("java-only", new URL[] {jar}, null);
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        try (JavaOnly loader = new JavaOnly(Path.of(arguments[0]).toUri().toURL())) {
            ((Runnable)
                            loader.loadClass("io.vtagent.compatibility.pins.Main")
                                    .getConstructor()
                                    .newInstance())
                    .run();
        } catch (IOException unclosed) {
            throw new IllegalStateException(unclosed);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
