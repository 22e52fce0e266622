package io.vtagent.instrument;

import io.vtagent.vm.Platform;
import java.io.Serializable;
import net.bytebuddy.jar.asm.ClassReader;

/** What a class inherits, as far as that can be told without the application's class loaders: their code is not ours to run. */
final class Ancestry {
    private Ancestry() {}

    /** Whether the class may be {@code Serializable}: false only if what it extends and implements is known. */
    static boolean mayBeSerializable(ClassReader reader) {
        String superName = reader.getSuperName();
        if (superName != null && mayBeSerializable(superName)) {
            return true;
        }
        for (String type : reader.getInterfaces()) {
            if (mayBeSerializable(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayBeSerializable(String parent) {
        Class<?> known = parent.startsWith("java/") ? Platform.find(parent.replace('/', '.')) : null;
        return known == null || Serializable.class.isAssignableFrom(known);
    }
}
