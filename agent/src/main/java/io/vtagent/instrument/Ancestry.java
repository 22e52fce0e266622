package io.vtagent.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import org.jspecify.annotations.Nullable;

/** Looks up what a class inherits without loading a class of the application. */
final class Ancestry {
    private Ancestry() {}

    /** Whether the class is {@code Serializable}; true if an ancestor cannot be found. */
    static boolean mayBeSerializable(ClassReader reader, ClassLoader loader) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        addParents(open, reader);
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!seen.add(name)) {
                continue;
            }
            if (name.startsWith("java/")) {
                if (isSerializable(name)) {
                    return true;
                }
                continue;
            }
            ClassReader parent = read(name, loader);
            if (parent == null) {
                return true;
            }
            addParents(open, parent);
        }
        return false;
    }

    private static void addParents(Deque<String> open, ClassReader reader) {
        String superName = reader.getSuperName();
        if (superName != null) {
            open.add(superName);
        }
        open.addAll(Arrays.asList(reader.getInterfaces()));
    }

    private static boolean isSerializable(String jdkClass) {
        try {
            ClassLoader platform = ClassLoader.getPlatformClassLoader();
            return Serializable.class.isAssignableFrom(Class.forName(jdkClass.replace('/', '.'), false, platform));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return true;
        }
    }

    private static @Nullable ClassReader read(String name, ClassLoader loader) {
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            return in == null ? null : new ClassReader(in.readAllBytes());
        } catch (IOException | RuntimeException unreadable) {
            return null;
        }
    }
}
