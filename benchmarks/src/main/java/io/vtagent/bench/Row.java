package io.vtagent.bench;

import java.util.function.Function;

/**
 * One line of the table.
 *
 * @param target as it was set, or empty where there is none
 */
record Row(String what, String target, Function<Jvm, Measured> on) {

    boolean hasTarget() {
        return !target.isEmpty();
    }

    /** The verdict on a target. */
    enum Verdict {
        MET,
        MISSED
    }

    /** A measurement on one JVM, and whether it meets the target. */
    record Measured(String text, Verdict verdict) {
        Measured(String text, boolean met) {
            this(text, met ? Verdict.MET : Verdict.MISSED);
        }
    }
}
