package io.vtagent.bench;

import java.util.function.Function;

/**
 * One line of the table.
 *
 * @param target as it was set, or empty where there is none
 */
record Row(String what, String target, Function<Jvm, Measured> on) {

    /** What was measured on one JVM, and whether that meets the target. */
    record Measured(String text, boolean met) {}
}
