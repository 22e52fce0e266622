package io.vtagent.compatibility.launch;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * A loader for {@code java.system.class.loader}: it loads the known pins itself, and makes the
 * JDK's loader of the class path, which is its parent, load all else.
 */
public final class OwnSystemLoader extends URLClassLoader {

    public OwnSystemLoader(ClassLoader parent) throws MalformedURLException {
        super("own-system", new URL[] {url(System.getProperty("pins"))}, parent);
    }

    private static URL url(String file) throws MalformedURLException {
        return Path.of(file).toUri().toURL();
    }

    /** Called by the JVM for each agent; it ends where the loader has no such method. */
    void appendToClassPathForInstrumentation(String file) throws MalformedURLException {
        addURL(url(file));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.vtagent.compatibility.pins.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
