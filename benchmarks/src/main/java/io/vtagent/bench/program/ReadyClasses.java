package io.vtagent.bench.program;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes that vt-agent has wrapped, as it left them. To load them from here costs what they
 * cost the JVM, and nothing of what it takes to make them.
 */
final class ReadyClasses {
    /** The name in the constants of a wrapped class. */
    private static final String PROBE = "java/lang/VtAgentProbe";

    private final Map<String, byte[]> byName = new HashMap<>();

    private ReadyClasses() {}

    /**
     * Adds each wrapped class to {@code file}, which is new. If several loaders have a class, the
     * first counts.
     */
    static ClassFileTransformer recorder(Path file) throws IOException {
        DataOutputStream out = new DataOutputStream(Files.newOutputStream(file));
        Set<String> recorded = new HashSet<>();
        return new ClassFileTransformer() {
            @Override
            public synchronized byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    @Nullable String className,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] classFile) {
                if (loader != null
                        && className != null
                        && isWrapped(classFile)
                        && recorded.add(className)) {
                    write(out, className, classFile);
                }
                return null;
            }
        };
    }

    private static boolean isWrapped(byte[] classFile) {
        return new String(classFile, StandardCharsets.ISO_8859_1).contains(PROBE);
    }

    private static void write(DataOutputStream out, String className, byte[] classFile) {
        try {
            out.writeUTF(className);
            out.writeInt(classFile.length);
            out.write(classFile);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Reads what was recorded in {@code file}. */
    static ReadyClasses read(Path file) throws IOException {
        ReadyClasses ready = new ReadyClasses();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (in.available() > 0) {
                String className = in.readUTF();
                byte[] classFile = new byte[in.readInt()];
                in.readFully(classFile);
                ready.byName.put(className, classFile);
            }
        }
        return ready;
    }

    /** Gives the JVM what is ready. */
    ClassFileTransformer replayer() {
        return new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    @Nullable String className,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] classFile) {
                byte[] ready =
                        className == null || redefined != null ? null : byName.get(className);
                return ready == null ? null : ready.clone();
            }
        };
    }
}
