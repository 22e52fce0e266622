package io.vtagent.vm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * What the JDK remembers of the records that were compared last: their types, by soft references of its own method handles ({@code
 * java.lang.invoke.MethodHandle.asTypeSoftCache} of those in {@code java.lang.runtime.ObjectMethods}). They would keep the agent's class
 * loader until memory is needed.
 */
public final class RecordMethods {
    private RecordMethods() {}

    /** Has the JDK remember {@code instead}, a class of no loader of the JDK's (those it refers to strongly), in place of the agent's records. */
    public static void forget(Class<?> instead) {
        MethodHandle component = MethodHandles.identity(instead);
        MethodType equals = MethodType.methodType(boolean.class, instead, Object.class);
        MethodType hashCode = MethodType.methodType(int.class, instead);
        try {
            Object unused = ObjectMethods.bootstrap(
                    MethodHandles.publicLookup(), "equals", equals, instead, "component", component);
            unused = ObjectMethods.bootstrap(
                    MethodHandles.publicLookup(), "hashCode", hashCode, instead, "component", component);
        } catch (Throwable otherwise) {
            // then it is remembered for longer
        }
    }
}
