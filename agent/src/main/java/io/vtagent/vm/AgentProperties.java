package io.vtagent.vm;

import jdk.internal.vm.VMSupport;

/**
 * What this JVM tells whoever attaches to it and asks for its agent properties ({@code
 * com.sun.tools.attach.VirtualMachine.getAgentProperties}): nothing has to be loaded into it for that.
 */
public final class AgentProperties {
    /** The URL of the endpoint without a path; {@code off} if there is none. */
    public static final String ENDPOINT = "vtagent.endpoint";

    private AgentProperties() {}

    /** @throws LinkageError if this JDK does not offer it */
    public static void put(String name, String value) {
        VMSupport.getAgentProperties().setProperty(name, value);
    }
}
