package io.vtagent.diagnosis;

import org.jspecify.annotations.Nullable;

/**
 * The lock, monitor, class, task or signal that a thread waits for, as far as the JVM reports it.
 *
 * @param name of the lock, monitor or class
 * @param owner the thread that has it; null if there is none or it is not known
 * @param next the thread that gets it next because it is free; null if it is not free, or that
 *     thread is not known
 * @param timed whether the wait has a time limit
 */
record Wait(
        Kind kind,
        String name,
        @Nullable ThreadLabel owner,
        @Nullable ThreadLabel next,
        boolean timed) {
    enum Kind {
        /** A lock, or another synchronizer of {@code java.util.concurrent}. */
        LOCK,
        MONITOR,
        /** A class that another thread initializes. */
        CLASS,
        /** A task that another thread runs. */
        TASK,
        /** A signal. Nothing shows which thread would give it. */
        SIGNAL
    }

    /** Creates a wait without a time limit: the JVM's own waits have none. */
    Wait(Kind kind, String name, @Nullable ThreadLabel owner, @Nullable ThreadLabel next) {
        this(kind, name, owner, next, false);
    }

    /** Returns the thread that has to go on before the waiting one can; null if it is not known. */
    @Nullable ThreadLabel needed() {
        return owner == null ? next : owner;
    }

    /** Returns a phrase that can follow "waits for" and "has". */
    String object() {
        return kind == Kind.CLASS ? "the initializer of " + name : name;
    }

    /** Returns the same phrase for a sentence, with the name quoted. */
    String quoted() {
        return switch (kind) {
            case CLASS -> "class `" + name + "`";
            case SIGNAL -> "a signal of `" + name + "`";
            default -> "`" + name + "`";
        };
    }

    /** Returns the verb for what the needed thread does with it. */
    String ownerVerb() {
        if (owner == null) {
            return "is the first to wait for";
        }
        return switch (kind) {
            case CLASS -> "initializes";
            case TASK -> "runs";
            default -> "has";
        };
    }
}
