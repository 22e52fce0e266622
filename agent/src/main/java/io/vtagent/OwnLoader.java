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
 * Loads the agent's classes from its jar, beside those of the application: neither sees the other's, and what the agent opens for
 * itself in {@code java.base} stays closed to the application. {@code URLClassLoader} would do, and take 10 ms longer before
 * {@code main}: it reads the security policy. Thread-safe.
 */
public final class OwnLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final Certificate @Nullable [] NO_CERTIFICATES = null;

    private final File file;
    private final ZipFile jar;
    private final ProtectionDomain domain;
    private final String title;
    private final String version;

    /** @throws IOException if {@code jar} cannot be read */
    public OwnLoader(File jar) throws IOException {
        // the parent of the system class loader, which may be the application's own, can be anything
        super(ClassLoader.getPlatformClassLoader());
        file = jar;
        this.jar = new ZipFile(jar);
        // By this constructor a security manager's policy says what is permitted. Without the loader: up to JDK 23
        // threads of the JDK that
        // the agent starts keep its domain, also when it is detached
        domain = new ProtectionDomain(new CodeSource(jar.toURI().toURL(), NO_CERTIFICATES), null, null, null);
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

    /** Virtual threads have no permissions of their own, where a security manager asks for some (JDK 23 at the latest). */
    @Override
    @SuppressWarnings("removal")
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (System.getSecurityManager() == null) {
            return load(name);
        }
        try {
            return AccessController.doPrivileged((PrivilegedExceptionAction<Class<?>>) () -> load(name));
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
                // thread was faster
            }
        }
    }

    /** From the jar that is open, where a URL would open it once more. */
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
