package io.vtagent.it.workload;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A loader between the JDK's and the application, for {@code -Djava.system.class.loader}. With
 * {@code -Down.loader=alone} it delegates only what {@code java.*} it must, and none of its classes
 * has a code source.
 */
public final class OwnSystemLoader extends ClassLoader {
    private static final boolean ALONE = "alone".equals(System.getProperty("own.loader"));

    static {
        registerAsParallelCapable();
    }

    /**
     * @param parent the JDK's own system class loader
     */
    public OwnSystemLoader(ClassLoader parent) {
        super(ALONE ? null : parent);
    }

    /** The JVM calls it for an agent's jar. */
    @SuppressWarnings("unused")
    private void appendToClassPathForInstrumentation(String jar) {
        System.setProperty(
                "java.class.path",
                System.getProperty("java.class.path") + File.pathSeparator + jar);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try {
            for (String entry :
                    System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                byte[] classFile = read(Path.of(entry), file);
                if (classFile.length > 0) {
                    return defineClass(name, classFile, 0, classFile.length);
                }
            }
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
        return ClassLoader.getPlatformClassLoader().loadClass(name);
    }

    private static byte[] read(Path entry, String file) throws IOException {
        if (Files.isDirectory(entry)) {
            Path path = entry.resolve(file);
            return Files.exists(path) ? Files.readAllBytes(path) : new byte[0];
        }
        try (ZipFile jar = new ZipFile(entry.toFile())) {
            ZipEntry found = jar.getEntry(file);
            return found == null ? new byte[0] : jar.getInputStream(found).readAllBytes();
        }
    }
}
