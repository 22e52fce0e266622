package io.vtagent.bench;

import java.util.function.Function;

/**
 * One line of the table.
 *
 * @param target as it was set, or empty if there is none
 * @param onDemand whether the row is measured only if the user names it
 */
record Row(String what, String target, boolean onDemand, Function<Jvm, Measured> on) {
    /** A row that is measured on demand if it has no target. */
    Row(String what, String target, Function<Jvm, Measured> on) {
        this(what, target, target.isEmpty(), on);
    }

    /** Returns a row that has met its target in each table so far, by far. */
    static Row settled(String what, String target, Function<Jvm, Measured> on) {
        return new Row(what, target, true, on);
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
