package io.vtagent.instrument;

import io.vtagent.site.JdkCode;
import java.io.Serializable;

/**
 * Checks whether a class may inherit {@code Serializable}. It does not use the application's class
 * loaders, because it must not run their code.
 */
final class SerializableCheck {
    private SerializableCheck() {}

    /**
     * Returns whether the class may be {@code Serializable}. The result is false only if all types
     * that it extends and implements are known.
     */
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
            return false; // the most frequent ones need no lookup
        }
        Class<?> known = parent.startsWith("java/") ? JdkCode.find(parent.replace('/', '.')) : null;
        return known == null || Serializable.class.isAssignableFrom(known);
    }
}
