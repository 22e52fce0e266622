package io.vtagent.vm;

import java.util.function.Function;
import jdk.internal.vm.VMSupport;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM tells whoever attaches to it and asks for its agent properties ({@code
 * com.sun.tools.attach.VirtualMachine.getAgentProperties}): nothing has to be loaded into it for that. What is not a string it does not tell
 * ({@code jdk.internal.vm.VMSupport}); there the agent that runs is found by another one. Thread-safe.
 */
public final class AgentProperties {
    /** The URL of the endpoint without a path; {@code off} if there is none. */
    public static final String ENDPOINT = "vtagent.endpoint";

    /** How the last thing ended that somebody who attached asked for: {@code NUMBER ok SENTENCE} or {@code NUMBER failed SENTENCE}. */
    public static final String ANSWER = "vtagent.answer";

    /** Of the probe that is in this JVM. */
    public static final String PROBE = "vtagent.probe";

    private static final String AGENT = "vtagent.agent";

    private AgentProperties() {}

    /** @throws LinkageError if this JDK does not offer it */
    public static void put(String name, String value) {
        VMSupport.getAgentProperties().setProperty(name, value);
    }

    /** @return null if it was not put */
    public static @Nullable String get(String name) {
        return VMSupport.getAgentProperties().getProperty(name);
    }

    public static void remove(String name) {
        Object unused = VMSupport.getAgentProperties().remove(name);
    }

    /**
     * Makes {@code agent} the one of this JVM. It is given a command and gives a sentence.
     *
     * @return false if there is one
     */
    public static boolean claim(Function<String, String> agent) {
        return VMSupport.getAgentProperties().putIfAbsent(AGENT, agent) == null;
    }

    /** The agent of this JVM, whatever class loader it is of; null if there is none. */
    @SuppressWarnings("unchecked")
    public static @Nullable Function<String, String> agent() {
        return (Function<String, String>) VMSupport.getAgentProperties().get(AGENT);
    }

    /** There is no agent any more. */
    public static void release(Function<String, String> agent) {
        boolean unused = VMSupport.getAgentProperties().remove(AGENT, agent);
    }
}
