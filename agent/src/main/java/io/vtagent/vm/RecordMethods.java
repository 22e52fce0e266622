package io.vtagent.vm;

import java.util.Objects;

/**
 * What the JDK remembers of the records that were compared last: their types, by soft references of its own method handles ({@code
 * java.lang.invoke.MethodHandle.asTypeSoftCache} of those in {@code java.lang.runtime.ObjectMethods}). They would keep the agent's class
 * loader until memory is needed.
 */
public final class RecordMethods {
    private RecordMethods() {}

    /** An enum: of a class that may have subclasses JDK 27 remembers less. */
    private enum Component {
        ONE
    }

    private record Compared(Component component) {}

    /**
     * Has the JDK remember a record of the class loader that loaded this class. To be called in a copy of this class whose loader has no
     * other: JDK 27 takes a lookup from nobody but the record itself.
     */
    @SuppressWarnings("unused") // by its name
    public static void remember() {
        Compared compared = new Compared(Component.ONE);
        Objects.requireNonNull(compared.equals(new Compared(Component.ONE)) ? compared.hashCode() : null);
    }
}
