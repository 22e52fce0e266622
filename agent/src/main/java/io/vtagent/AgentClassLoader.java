package io.vtagent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.AccessController;
import java.security.CodeSource;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent's classes from its jar, separately from the application's: neither side sees the
 * other's classes, and the packages of {@code java.base} that the agent opens for itself stay
 * closed to the application. {@code URLClassLoader} would delay {@code main} by another 10 ms,
 * because it reads the security policy. Thread-safe.
 */
public final class AgentClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final Certificate @Nullable [] NO_CERTIFICATES = null;

    private final File file;
    private final ZipFile jar;
    private final ProtectionDomain domain;
    private final String title;
    private final String version;

    /**
     * @throws IOException if {@code jar} cannot be read
     */
    public AgentClassLoader(File jar) throws IOException {
        // not the parent of the system class loader: that may be the application's, with any parent
        super(ClassLoader.getPlatformClassLoader());
        file = jar;
        this.jar = new ZipFile(jar);
        // With this constructor a security manager's policy decides the permissions. The loader is
        // left out, because up to JDK 23 the domain is kept by JDK threads that the agent starts,
        // even after a detach.
        domain =
                new ProtectionDomain(
                        new CodeSource(jar.toURI().toURL(), NO_CERTIFICATES), null, null, null);
        Attributes manifest = manifest();
        title = String.valueOf(manifest.getValue(Attributes.Name.IMPLEMENTATION_TITLE));
        version = String.valueOf(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    }

    private Attributes manifest() throws IOException {
        ZipEntry entry = jar.getEntry(JarFile.MANIFEST_NAME);
        if (entry == null) {
            return new Attributes();
        }
        try (InputStream in = jar.getInputStream(entry)) {
            return new Manifest(in).getMainAttributes();
        }
    }

    /**
     * Loads a class as every class loader does. All that it waits for has a frame of this class on
     * its stack, by which the agent recognizes its own work.
     */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return super.loadClass(name, resolve);
    }

    /**
     * Loads a class with the agent's own permissions, because virtual threads have none where a
     * security manager requires some (JDK 23 at the latest).
     */
    @Override
    @SuppressWarnings("removal")
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (System.getSecurityManager() == null) {
            return load(name);
        }
        try {
            return AccessController.doPrivileged(
                    (PrivilegedExceptionAction<Class<?>>) () -> load(name));
        } catch (PrivilegedActionException refused) {
            throw new ClassNotFoundException(name, refused.getException());
        }
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
        if (entry == null) {
            throw new ClassNotFoundException(name);
        }
        byte[] classFile;
        try (InputStream in = jar.getInputStream(entry)) {
            classFile = in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
        definePackageOf(name);
        return defineClass(name, classFile, 0, classFile.length, domain);
    }

    private void definePackageOf(String className) {
        int dot = className.lastIndexOf('.');
        String name = className.substring(0, Math.max(dot, 0));
        if (getDefinedPackage(name) == null) {
            try {
                Package unused = definePackage(name, null, null, null, title, version, null, null);
            } catch (IllegalArgumentException another) {
                // another thread has defined it
            }
        }
    }

    /** Reads from the open jar; a URL would open the jar again. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        ZipEntry entry = jar.getEntry(name);
        try {
            return entry == null ? super.getResourceAsStream(name) : jar.getInputStream(entry);
        } catch (IOException unreadable) {
            return null;
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        if (jar.getEntry(name) == null) {
            return null;
        }
        try {
            String path = new URI(null, null, "/" + name, null).getRawPath();
            return URI.create("jar:" + file.toURI() + "!" + path).toURL();
        } catch (MalformedURLException | URISyntaxException | IllegalArgumentException noAddress) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL resource = findResource(name);
        return Collections.enumeration(resource == null ? List.of() : List.of(resource));
    }
}
