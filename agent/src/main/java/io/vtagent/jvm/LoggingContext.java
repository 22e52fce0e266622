package io.vtagent.jvm;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mapped diagnostic context (MDC) of any thread, if it is a {@link HashMap} in a {@code
 * ThreadLocal}, as that of Logback is. Only texts in maps of exactly this class are read, so no
 * code of the application runs. While the thread changes its map, a value may be missing.
 * Thread-safe.
 */
public final class LoggingContext {
    private static final Field LOCALS = field(JdkInternal.THREAD_LOCALS);
    private static final Field TABLE = field(JdkInternal.THREAD_LOCAL_TABLE);
    private static final Field VALUE = field(JdkInternal.THREAD_LOCAL_VALUE);

    private final List<String> keys;

    public LoggingContext(List<String> keys) {
        this.keys = keys;
    }

    /** Returns {@code key=value} for each key that {@code thread} has, separated by commas. */
    public String of(Thread thread) {
        StringBuilder text = new StringBuilder();
        for (String key : keys) {
            Object value = value(thread, key);
            if (value instanceof String known) {
                text.append(text.isEmpty() ? "" : ", ").append(key).append('=').append(known);
            }
        }
        return text.toString();
    }

    private static @Nullable Object value(Thread thread, String key) {
        try {
            Object locals = LOCALS.get(thread);
            Object table = locals == null ? null : TABLE.get(locals);
            for (Object entry : table == null ? new Object[0] : (Object[]) table) {
                Object local = entry == null ? null : VALUE.get(entry);
                // any other map may run code of the application
                if (local != null && local.getClass() == HashMap.class) {
                    Object value = ((Map<?, ?>) local).get(key);
                    if (value != null) {
                        return value;
                    }
                }
            }
            return null;
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Field field(JdkInternal internal) {
        try {
            Field field = internal.field();
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException missing) {
            throw internal.changed(missing);
        }
    }
}
