package io.vtagent.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One of those that take turns.
 *
 * @param name what a table calls it
 * @param jvmArguments what makes the difference
 */
record Arm(String name, List<String> jvmArguments) {
    /** In a JVM that gets these arguments, too. */
    Arm with(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.addAll(jvmArguments);
        return new Arm(name, all);
    }
}
