package io.vtagent.jvm;

import java.util.Objects;

/**
 * The JDK's cache of the types of the records that were compared last. Its own method handles have
 * soft references to them ({@code java.lang.invoke.MethodHandle.asTypeSoftCache} of the handles in
 * {@code java.lang.runtime.ObjectMethods}). These would keep the agent's class loader until memory
 * is needed.
 */
public final class RecordMethods {
    private RecordMethods() {}

    /** An enum, because JDK 27 remembers less of a class that may have subclasses. */
    private enum Component {
        ONE
    }

    private record Compared(Component component) {}

    /**
     * Makes the JDK remember a record of the class loader that loaded this class. Must be called in
     * a copy of this class whose loader has no other class. The record is here because JDK 27
     * accepts a lookup only from the record itself.
     */
    @SuppressWarnings("unused") // called by reflection
    public static void remember() {
        Compared compared = new Compared(Component.ONE);
        Objects.requireNonNull(
                compared.equals(new Compared(Component.ONE)) ? compared.hashCode() : null);
    }
}
