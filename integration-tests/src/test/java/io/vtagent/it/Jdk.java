package io.vtagent.it;

import java.nio.file.Path;

/**
 * A JDK that tests run on.
 *
 * @param feature the feature version
 */
record Jdk(int feature, Path home) {
    private static final int FIRST_WITHOUT_PINNING_MONITORS = 24;
    private static final int FIRST_WITH_AOT_CACHES = 25;
    private static final int FIRST_TO_UNMOUNT_WAITERS_FOR_INITIALIZERS = 26;
    private static final int FIRST_TO_REFUSE_ARCHIVES_BESIDE_AGENTS = 26;

    /** Whether a thread that holds a monitor cannot unmount: until JEP 491. */
    boolean monitorsPin() {
        return feature < FIRST_WITHOUT_PINNING_MONITORS;
    }

    /**
     * Whether a thread that waits for another's class initializer can unmount, unless it came by
     * {@code Class.forName}, reflection or a method handle.
     */
    boolean unmountsWaitersForInitializers() {
        return feature >= FIRST_TO_UNMOUNT_WAITERS_FOR_INITIALIZERS;
    }

    /**
     * Returns whether the JVM can archive classes at its end in a run with a Java agent; JDK 26
     * removed the flag.
     */
    boolean archivesClassesBesideAgents() {
        return feature < FIRST_TO_REFUSE_ARCHIVES_BESIDE_AGENTS;
    }

    /** Whether it has caches of classes that were loaded and linked ahead of time (JEP 514). */
    boolean hasAotCaches() {
        return feature >= FIRST_WITH_AOT_CACHES;
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }
}
