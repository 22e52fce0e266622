package io.vtagent.demo.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * One way to run a case, and what its JVM needs for that.
 *
 * @param name as it is given on the command line
 * @param what how it differs from the others
 * @param jvmOptions options of its JVM, beyond those that every run has; of an option that is given
 *     twice, the JVM takes these
 * @param agentOptions options of the agent, as {@code key=value}
 */
public record Variant(
        String name, String what, List<String> jvmOptions, List<String> agentOptions) {

    private static final String SCHEDULER = "-Djdk.virtualThreadScheduler.";

    public static Variant of(String name, String what) {
        return new Variant(name, what, List.of(), List.of());
    }

    public Variant onJvm(String... options) {
        return new Variant(name, what, joined(jvmOptions, options), agentOptions);
    }

    /** So that the agent, too, can be what makes the difference. */
    public Variant underAgent(String... options) {
        return new Variant(name, what, jvmOptions, joined(agentOptions, options));
    }

    /**
     * The scheduler keeps {@code parallelism} carriers, and adds others up to {@code maxPoolSize}
     * in all.
     */
    public Variant onCarriers(int parallelism, int maxPoolSize) {
        return onJvm(
                SCHEDULER + "parallelism=" + parallelism, SCHEDULER + "maxPoolSize=" + maxPoolSize);
    }

    private static List<String> joined(List<String> first, String... then) {
        return Stream.concat(first.stream(), Stream.of(then)).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
