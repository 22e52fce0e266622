package io.vtagent.jvm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import jdk.internal.misc.Unsafe;

/**
 * Finds the fields of HotSpot's C++ objects in the table that its library provides for debuggers
 * (vmStructs.hpp, {@code gHotSpotVMStructs}). The library is found if the process has loaded its
 * symbols globally, as the {@code java} command does on Linux.
 */
public final class VmStructs {
    /** The value if there is no such field, or the library is not found. */
    public static final long NOWHERE = 0;

    private static final String TABLE = "gHotSpotVMStructs";
    private static final String ENTRY = "gHotSpotVMStructEntry";

    /** For {@code dlsym}: searches all libraries. */
    private static final long ANY_LIBRARY = 0;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private VmStructs() {}

    /**
     * Returns the offset of the field in an object of its type, in bytes, or {@link #NOWHERE}. The
     * first field of an object, at offset 0, cannot be found.
     */
    public static long offsetOf(JdkInternal field) {
        return offsetOf(field.typeName(), field.member());
    }

    /** As {@link #offsetOf(JdkInternal)}, of any field. */
    public static long offsetOf(String type, String field) {
        return find(type, field, "OffsetOffset");
    }

    /** Returns the address of a static field, or {@link #NOWHERE}. */
    public static long addressOf(JdkInternal field) {
        return find(field.typeName(), field.member(), "AddressOffset");
    }

    /** Returns whether the table has the field, wherever in an object it is. */
    static boolean has(JdkInternal field) {
        return find(field.typeName(), field.member(), "TypeNameOffset") != NOWHERE;
    }

    /** Returns whether the table can be read, without which no field is found. */
    static boolean isReadable() {
        try {
            return value(symbols(), TABLE) != NOWHERE;
        } catch (Throwable otherJvm) {
            return false;
        }
    }

    private static long find(String type, String field, String wanted) {
        try {
            MethodHandle symbols = symbols();
            long entry = value(symbols, TABLE);
            long typeName = value(symbols, ENTRY + "TypeNameOffset");
            long fieldName = value(symbols, ENTRY + "FieldNameOffset");
            long found = value(symbols, ENTRY + wanted);
            long stride = value(symbols, ENTRY + "ArrayStride");
            while (UNSAFE.getAddress(entry + typeName) != 0) {
                if (is(type, UNSAFE.getAddress(entry + typeName))
                        && is(field, UNSAFE.getAddress(entry + fieldName))) {
                    return UNSAFE.getLong(entry + found);
                }
                entry += stride;
            }
        } catch (OutOfMemoryError full) {
            throw full; // no result for this JVM
        } catch (Throwable otherJvm) {
            // then the field is not found
        }
        return NOWHERE;
    }

    private static MethodHandle symbols() throws ReflectiveOperationException {
        Class<?> libraries = JdkInternal.FIND_SYMBOL.initializedType();
        return JdkInternal.FIND_SYMBOL.handle(
                MethodHandles.privateLookupIn(libraries, MethodHandles.lookup()));
    }

    private static long value(MethodHandle symbols, String name) throws Throwable {
        long address = (long) symbols.invokeExact(ANY_LIBRARY, name);
        if (address == 0) {
            throw new NoSuchFieldException(name);
        }
        return UNSAFE.getLong(address);
    }

    /** Returns whether {@code name}, ended by a zero byte, is at {@code address}. */
    private static boolean is(String name, long address) {
        for (int i = 0; i < name.length(); i++) {
            if (UNSAFE.getByte(address + i) != name.charAt(i)) {
                return false;
            }
        }
        return UNSAFE.getByte(address + name.length()) == 0;
    }
}
