package io.vtagent.it;

import java.nio.file.Path;

/**
 * A JDK that tests run on.
 *
 * @param feature the feature version
 */
record Jdk(int feature, Path home) {
    private static final int FIRST_WITHOUT_PINNING_MONITORS = 24;

    /** Whether a thread that holds a monitor cannot unmount: until JEP 491. */
    boolean monitorsPin() {
        return feature < FIRST_WITHOUT_PINNING_MONITORS;
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }
}
