package io.vtagent.hotspot;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.ConstantPool;

/**
 * Finds the classes that a class names and that are not initialized. Reads the constant pool in the
 * JVM, so it calls no class loader and loads nothing. This costs some tenths of a microsecond for
 * each entry. Thread-safe.
 */
public final class Uninitialized {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final MethodHandle CONSTANT_POOL = constantPoolHandle();

    private Uninitialized() {}

    /** Returns the loaded classes for which code of {@code type} may have to wait. */
    public static List<Class<?>> namedBy(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> named : loadedNamedBy(type)) {
            if (!isInitialized(named)) {
                found.add(named);
            }
        }
        return found;
    }

    /** Returns whether code of {@code type} may call {@code other}. */
    public static boolean names(Class<?> type, Class<?> other) {
        return loadedNamedBy(type).contains(other);
    }

    /** Returns whether {@code type} is initialized; false also if its initializer failed. */
    public static boolean isInitialized(Class<?> type) {
        return !UNSAFE.shouldBeInitialized(type);
    }

    private static List<Class<?>> loadedNamedBy(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        ConstantPool pool = constantPool(type);
        int size = pool.getSize();
        for (int index = 1; index < size; index++) {
            if (pool.getTagAt(index) == ConstantPool.Tag.CLASS) {
                Class<?> named = pool.getClassAtIfLoaded(index);
                if (named != null && !named.isArray()) {
                    found.add(named);
                }
            }
        }
        return found;
    }

    private static ConstantPool constantPool(Class<?> type) {
        try {
            return (ConstantPool) CONSTANT_POOL.invokeExact(type);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle constantPoolHandle() {
        try {
            return JdkInternal.CONSTANT_POOL.handle(
                    MethodHandles.privateLookupIn(Class.class, MethodHandles.lookup()));
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.CONSTANT_POOL.changed(missing);
        }
    }
}
