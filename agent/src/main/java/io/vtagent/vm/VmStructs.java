package io.vtagent.vm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.internal.misc.Unsafe;

/**
 * Where HotSpot keeps the fields of its C++ objects, as its library tells debuggers (vmStructs.hpp, {@code gHotSpotVMStructs}). That library
 * is found where the process has its symbols for all others, as with the {@code java} command on Linux.
 */
final class VmStructs {
    /** There is no such field, or the library is not found. */
    static final long NOWHERE = 0;

    private static final String TABLE = "gHotSpotVMStructs";
    private static final String ENTRY = "gHotSpotVMStructEntry";
    /** For {@code dlsym}: in whatever library it is. */
    private static final long ANY_LIBRARY = 0;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private VmStructs() {}

    /** Where in an object of {@code type} the field begins, in bytes, or {@link #NOWHERE}. The first field of an object, at 0, cannot be asked for. */
    static long offsetOf(String type, String field) {
        try {
            MethodHandle symbols = symbols();
            long entry = value(symbols, TABLE);
            long typeName = value(symbols, ENTRY + "TypeNameOffset");
            long fieldName = value(symbols, ENTRY + "FieldNameOffset");
            long offset = value(symbols, ENTRY + "OffsetOffset");
            long stride = value(symbols, ENTRY + "ArrayStride");
            while (UNSAFE.getAddress(entry + typeName) != 0) {
                if (is(type, UNSAFE.getAddress(entry + typeName)) && is(field, UNSAFE.getAddress(entry + fieldName))) {
                    return UNSAFE.getLong(entry + offset);
                }
                entry += stride;
            }
        } catch (Throwable otherJvm) {
            // then nobody knows
        }
        return NOWHERE;
    }

    private static MethodHandle symbols() throws ReflectiveOperationException {
        Class<?> libraries = Class.forName("jdk.internal.loader.NativeLibrary");
        return MethodHandles.privateLookupIn(libraries, MethodHandles.lookup())
                .findStatic(libraries, "findEntry0", MethodType.methodType(long.class, long.class, String.class));
    }

    private static long value(MethodHandle symbols, String name) throws Throwable {
        long address = (long) symbols.invokeExact(ANY_LIBRARY, name);
        if (address == 0) {
            throw new NoSuchFieldException(name);
        }
        return UNSAFE.getLong(address);
    }

    /** Whether {@code name} stands at {@code address}, ended by a zero. */
    private static boolean is(String name, long address) {
        for (int i = 0; i < name.length(); i++) {
            if (UNSAFE.getByte(address + i) != name.charAt(i)) {
                return false;
            }
        }
        return UNSAFE.getByte(address + name.length()) == 0;
    }
}
