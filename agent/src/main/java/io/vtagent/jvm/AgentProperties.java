package io.vtagent.jvm;

import java.util.function.Function;
import jdk.internal.vm.VMSupport;
import org.jspecify.annotations.Nullable;

/**
 * The agent properties of this JVM. A process that attaches can read them ({@code
 * com.sun.tools.attach.VirtualMachine.getAgentProperties}) without loading anything into this JVM.
 * The JVM does not expose values that are not strings ({@code jdk.internal.vm.VMSupport}). One such
 * value is the running agent, which a second agent finds there. Thread-safe.
 */
public final class AgentProperties {
    /** The key of the URL of the endpoint without a path; {@code off} if there is no endpoint. */
    public static final String ENDPOINT = "vtagent.endpoint";

    /**
     * The prefix of the keys of answers to requests by processes that attached; a dot and the
     * number of the request follow. The answer is {@code TIMESTAMP ok SENTENCE} or {@code TIMESTAMP
     * failed SENTENCE}.
     */
    public static final String ANSWER = "vtagent.answer";

    /** The key of the checksum of the probe that is in this JVM. */
    public static final String PROBE = "vtagent.probe";

    private static final String AGENT = "vtagent.agent";

    private AgentProperties() {}

    /**
     * @throws LinkageError if this JDK has no agent properties
     */
    public static void put(String name, String value) {
        VMSupport.getAgentProperties().setProperty(name, value);
    }

    /**
     * @return the value, or null if it was not put
     */
    public static @Nullable String get(String name) {
        return VMSupport.getAgentProperties().getProperty(name);
    }

    public static void remove(String name) {
        Object unused = VMSupport.getAgentProperties().remove(name);
    }

    /**
     * Makes {@code agent} the agent of this JVM. It takes a command and returns a sentence.
     *
     * @return false if there is an agent already
     */
    public static boolean claim(Function<String, String> agent) {
        return VMSupport.getAgentProperties().putIfAbsent(AGENT, agent) == null;
    }

    /** Returns the agent of this JVM, whatever its class loader; null if there is none. */
    @SuppressWarnings("unchecked")
    public static @Nullable Function<String, String> agent() {
        return (Function<String, String>) VMSupport.getAgentProperties().get(AGENT);
    }

    /** Removes {@code agent}, so that this JVM has none. */
    public static void release(Function<String, String> agent) {
        boolean unused = VMSupport.getAgentProperties().remove(AGENT, agent);
    }
}
