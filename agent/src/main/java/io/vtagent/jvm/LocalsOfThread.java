package io.vtagent.jvm;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * The thread-local values of any thread, which are read without running any code of the
 * application. While the thread changes them, one may be missing. Thread-safe.
 */
public final class LocalsOfThread {
    private static final Field LOCALS = field(JdkInternal.THREAD_LOCALS);
    private static final Field TABLE = field(JdkInternal.THREAD_LOCAL_TABLE);
    private static final Field VALUE = field(JdkInternal.THREAD_LOCAL_VALUE);
    private static final Object[] NONE = {};

    private LocalsOfThread() {}

    /** Returns the value of {@code local} in {@code thread}; null if it has none. */
    public static @Nullable Object valueOf(ThreadLocal<?> local, Thread thread) {
        for (Object entry : entriesOf(thread)) {
            if (entry != null && isOf(local, entry)) {
                return valueIn(entry);
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // the JDK's table has weak references to variables
    private static boolean isOf(ThreadLocal<?> local, Object entry) {
        return ((Reference<Object>) entry).refersTo(local);
    }

    /** Returns what {@link #valueIn} reads from. Some entries are null. */
    static @Nullable Object[] entriesOf(Thread thread) {
        Object locals = read(LOCALS, thread);
        Object table = locals == null ? null : read(TABLE, locals);
        return table == null ? NONE : (Object[]) table;
    }

    static @Nullable Object valueIn(Object entry) {
        return read(VALUE, entry);
    }

    private static @Nullable Object read(Field field, Object of) {
        try {
            return field.get(of);
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
