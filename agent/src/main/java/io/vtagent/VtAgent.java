package io.vtagent;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.zip.ZipFile;

/**
 * The JVM's entry point to the agent. Compiled for Java 8, so that a JVM without virtual threads
 * prints one line to stderr and runs its application.
 *
 * <p>The agent itself is loaded by its own class loader, {@code AgentClassLoader}.
 */
public final class VtAgent {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final int BAD_INPUT = 2;

    private VtAgent() {}

    /**
     * Called before the application's {@code main} for {@code -javaagent:vt-agent.jar=arguments}.
     */
    public static void premain(String arguments, Instrumentation instrumentation) {
        start("io.vtagent.Agent$BeforeMain", arguments, instrumentation);
    }

    /** Called when the agent is attached to a running JVM. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        start("io.vtagent.Agent$WhileRunning", arguments, instrumentation);
    }

    /** Runs the command line, {@code java -jar vt-agent.jar ...}. */
    public static void main(String[] arguments) throws Throwable {
        String version = System.getProperty("java.specification.version");
        if (isTooOld(version)) {
            System.err.println(
                    "vt-agent: this is Java "
                            + version
                            + ", the command line needs Java "
                            + FIRST_WITH_VIRTUAL_THREADS
                            + " or later");
            System.exit(BAD_INPUT);
        }
        Class.forName("io.vtagent.cli.CommandLineTool")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    private static boolean isTooOld(String version) {
        return version.startsWith("1.") || Integer.parseInt(version) < FIRST_WITH_VIRTUAL_THREADS;
    }

    @SuppressWarnings("unchecked")
    private static void start(String agent, String arguments, Instrumentation instrumentation) {
        String version = System.getProperty("java.specification.version");
        try {
            if (isTooOld(version)) {
                System.err.println(
                        "[vt-agent] this is Java "
                                + version
                                + ", virtual threads need Java "
                                + FIRST_WITH_VIRTUAL_THREADS
                                + " or later: the application runs without the agent");
                return;
            }
            ClassLoader own =
                    Class.forName("io.vtagent.AgentClassLoader")
                            .asSubclass(ClassLoader.class)
                            .getConstructor(File.class)
                            .newInstance(jar());
            ((BiConsumer<String, Instrumentation>)
                            Class.forName(agent, true, own)
                                    .asSubclass(BiConsumer.class)
                                    .getConstructor()
                                    .newInstance())
                    .accept(arguments, instrumentation);
        } catch (Throwable failure) {
            System.err.println(
                    "[vt-agent] cannot start, the application runs without the agent: " + failure);
        }
    }

    /**
     * Returns the agent's jar. The application may have its own system class loader, which may have
     * loaded this class.
     */
    private static File jar() throws IOException {
        List<File> candidates = new ArrayList<>();
        CodeSource source = VtAgent.class.getProtectionDomain().getCodeSource();
        if (source != null) {
            addFile(candidates, source.getLocation());
        }
        // the JVM has appended the jar here
        for (String entry :
                System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            candidates.add(new File(entry));
        }
        for (File candidate : candidates) {
            if (isAgent(candidate)) {
                return candidate;
            }
        }
        throw new IOException(
                "the system class loader does not return the location of the agent's jar");
    }

    private static void addFile(List<File> files, URL location) {
        try {
            if (location != null) {
                files.add(new File(new URI(location.toString())));
            }
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            // the jar is elsewhere
        }
    }

    private static boolean isAgent(File file) {
        if (!file.isFile()) {
            return false;
        }
        try (ZipFile jar = new ZipFile(file)) {
            return jar.getEntry("io/vtagent/Agent.class") != null;
        } catch (IOException noJar) {
            return false;
        }
    }
}
