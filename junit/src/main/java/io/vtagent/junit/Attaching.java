package io.vtagent.junit;

import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.util.List;
import net.bytebuddy.agent.ByteBuddyAgent;

/** Attaches the agent to this JVM while it runs. */
final class Attaching {
    private static final String PROBE = "java.lang.VtAgentProbe";
    private static final String NOT_DYNAMICALLY = "-XX:-EnableDynamicAgentLoading";

    private Attaching() {}

    /**
     * Returns whether this JVM has an agent, started by {@code -javaagent} or attached, even if its
     * MXBean is not registered yet.
     */
    static boolean isAgentThere() {
        try {
            Class<?> unused = Class.forName(PROBE, false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException none) {
            return false;
        }
    }

    /**
     * Starts the agent with the {@link Instrumentation} of Byte Buddy's agent. If Mockito has
     * attached that one already, this JVM is not attached to twice.
     *
     * @throws NoAgentException if Byte Buddy's agent cannot be attached to this JVM
     */
    static void attach() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        Instrumentation instrumentation;
        try {
            instrumentation = ByteBuddyAgent.install();
        } catch (IllegalStateException | LinkageError refusal) {
            throw new NoAgentException(
                    why(refusal, flags)
                            + ", or start the tests' JVM with -javaagent:vt-agent-junit.jar",
                    refusal);
        }
        PinAgent.start("agentmain", instrumentation);
    }

    private static String why(Throwable refusal, List<String> flags) {
        if (flags.contains(NOT_DYNAMICALLY)) {
            return "agents must not be attached to this JVM, which runs with "
                    + NOT_DYNAMICALLY
                    + ": expected -XX:+EnableDynamicAgentLoading";
        }
        if (ModuleLayer.boot().findModule("java.instrument").isEmpty()) {
            return "this JVM runs without the module java.instrument: expected a JDK, or a runtime"
                    + " with java.instrument";
        }
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            return "this JVM runs without the module jdk.attach: expected a JDK, or a runtime with"
                    + " jdk.attach";
        }
        return "Byte Buddy's agent could not be attached to this JVM ("
                + refusal
                + "): expected a JDK on which attaching works";
    }
}
