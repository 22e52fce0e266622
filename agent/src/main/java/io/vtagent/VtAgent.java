package io.vtagent;

import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.BiConsumer;

/**
 * Where the JVM enters. Compiled for Java 8: a JVM without virtual threads gets one line on stderr, and its application.
 *
 * <p>The agent itself lives in a class loader of its own, beside the application's: neither sees the other's classes, and what
 * the agent opens for itself in {@code java.base} stays closed to the application.
 */
public final class VtAgent {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private VtAgent() {}

    /** Called before the application's {@code main} for {@code -javaagent:vt-agent.jar=arguments}. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        start("io.vtagent.Agent$BeforeMain", arguments, instrumentation);
    }

    /** Called when the agent is attached to a JVM that runs. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        start("io.vtagent.Agent$WhileRunning", arguments, instrumentation);
    }

    @SuppressWarnings("unchecked")
    private static void start(String agent, String arguments, Instrumentation instrumentation) {
        String version = System.getProperty("java.specification.version");
        try {
            if (version.startsWith("1.") || Integer.parseInt(version) < FIRST_WITH_VIRTUAL_THREADS) {
                System.err.println("[vt-agent] this is Java " + version + ", virtual threads begin with Java "
                        + FIRST_WITH_VIRTUAL_THREADS + ": the application runs without the agent");
                return;
            }
            URL jar = VtAgent.class.getProtectionDomain().getCodeSource().getLocation();
            ClassLoader platform = ClassLoader.getSystemClassLoader().getParent();
            ClassLoader own = new URLClassLoader(new URL[] {jar}, platform);
            ((BiConsumer<String, Instrumentation>) Class.forName(agent, true, own)
                            .asSubclass(BiConsumer.class)
                            .getConstructor()
                            .newInstance())
                    .accept(arguments, instrumentation);
        } catch (Throwable failure) {
            System.err.println("[vt-agent] cannot start, the application runs without the agent: " + failure);
        }
    }
}
