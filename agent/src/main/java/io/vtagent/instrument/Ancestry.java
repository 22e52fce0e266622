package io.vtagent.instrument;

import io.vtagent.vm.Platform;
import java.io.Serializable;

/** What a class inherits, as far as that can be told without the application's class loaders: their code is not ours to run. */
final class Ancestry {
    private Ancestry() {}

    /** Whether the class may be {@code Serializable}: false only if what it extends and implements is known. */
    static boolean mayBeSerializable(ParsedClass parsed) {
        if (mayBeSerializable(parsed.superName())) {
            return true;
        }
        for (String type : parsed.interfaces()) {
            if (mayBeSerializable(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayBeSerializable(String parent) {
        if (parent.equals("java/lang/Object") || parent.equals("java/lang/Runnable")) {
            return false; // what most extend, and need not look up
        }
        Class<?> known = parent.startsWith("java/") ? Platform.find(parent.replace('/', '.')) : null;
        return known == null || Serializable.class.isAssignableFrom(known);
    }
}
