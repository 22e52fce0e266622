package io.vtagent.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bug of the JDK that affects the measurement of virtual threads: the updates that have it, the
 * condition under which it occurs, and the agent's reaction. The table holds bugs that were
 * reproduced, or reported with the update that fixes them; {@code docs/supported.md} names the
 * sources.
 *
 * @param onlyIfPinsAreTraced whether the bug occurs only with {@code -Djdk.tracePinnedThreads}
 * @param fixedIn the first update without the bug, for each feature release that has it; {@link
 *     #NEVER} if no update fixes it
 */
public record KnownBug(
        String id,
        Reaction reaction,
        String effect,
        boolean onlyIfPinsAreTraced,
        Map<Integer, Integer> fixedIn) {
    private static final int NEVER = Integer.MAX_VALUE;

    /** The agent's reaction to a bug. */
    public enum Reaction {
        /** Nothing is transformed: the application runs without the agent. */
        STAY_OUT,
        /**
         * The agent logs a warning: the bug also affects the application without the agent, and
         * matters to anyone who examines its virtual threads.
         */
        WARN
    }

    private static final List<KnownBug> ALL =
            List.of(
                    // The JDK prints the stack of a thread that it has failed to unmount, and loads
                    // classes for that. java.instrument transforms each, and waits in
                    // JvmtiVTMSTransitionDisabler until no thread is unmounting: the thread waits
                    // for itself. The fix in 21.0.6 does not help: 21.0.8 hangs on a busy machine.
                    new KnownBug(
                            "JDK-8337331",
                            Reaction.STAY_OUT,
                            "with -Djdk.tracePinnedThreads and an agent that transforms classes the"
                                    + " JVM hangs or crashes at the first pin",
                            true,
                            Map.of(21, NEVER, 22, NEVER, 23, NEVER)),
                    // A timed park, the unpark and the timer race.
                    new KnownBug(
                            "JDK-8369227",
                            Reaction.WARN,
                            "a virtual thread that parks after a timed park may never be woken",
                            false,
                            Map.of(25, 3, 26, 1)));

    /**
     * Returns whether the JDK prints each pin to stdout. Reads the property's value as {@code
     * java.lang.VirtualThread} does up to JDK 23.
     */
    private static boolean tracesPins(@Nullable String value) {
        return value != null
                && (value.isEmpty()
                        || value.equalsIgnoreCase("full")
                        || value.equalsIgnoreCase("short"));
    }

    /** Returns a description of each bug of this JVM that has the given reaction. */
    public static List<String> inThisJvm(Reaction reaction) {
        return in(Runtime.version(), System.getProperty("jdk.tracePinnedThreads"), reaction);
    }

    static List<String> in(
            Runtime.Version jdk, @Nullable String tracePinnedThreads, Reaction reaction) {
        List<String> found = new ArrayList<>();
        for (KnownBug bug : ALL) {
            int fixed = bug.fixedIn.getOrDefault(jdk.feature(), 0);
            if (bug.reaction == reaction
                    && jdk.update() < fixed
                    && (!bug.onlyIfPinsAreTraced || tracesPins(tracePinnedThreads))) {
                found.add(bug.inWords(jdk));
            }
        }
        return found;
    }

    private String inWords(Runtime.Version jdk) {
        String version = jdk.update() == 0 ? "" : "." + jdk.interim() + "." + jdk.update();
        return "JDK "
                + jdk.feature()
                + version
                + ": "
                + effect
                + " ("
                + id
                + "); fixed in "
                + fixes();
    }

    private String fixes() {
        List<String> versions = new ArrayList<>();
        int next = 0;
        for (Map.Entry<Integer, Integer> fix : new TreeMap<>(fixedIn).entrySet()) {
            next = fix.getKey() + 1;
            if (fix.getValue() < NEVER) {
                versions.add(fix.getKey() + ".0." + fix.getValue());
            }
        }
        return versions.isEmpty()
                ? Integer.toString(next)
                : String.join(", ", versions) + " and " + next;
    }
}
