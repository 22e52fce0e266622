package io.vtagent.junit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Starts the agent that this jar contains, for tests: by {@code -javaagent:vt-agent-junit.jar}, or
 * attached. The agent has a class loader of its own, so that none of its classes is on the class
 * path.
 */
public final class PinAgent {
    /**
     * No endpoint, no output and no JFR events, which arrive late: tests need their pins at once.
     */
    private static final String OPTIONS =
            "port=off,report=off,app-registry=off,delay-probe=off,vm-events=off,"
                    + "stack-threshold=0,log=error";

    private static final String JAR = "/META-INF/vt-agent/vt-agent.jar";

    private PinAgent() {}

    /** Called before {@code main} for {@code -javaagent:vt-agent-junit.jar}. */
    public static void premain(@Nullable String unused, Instrumentation instrumentation) {
        start("premain", instrumentation);
    }

    static void start(String entry, Instrumentation instrumentation) {
        try {
            URL jar = extract().toUri().toURL();
            // remains open as long as the JVM runs
            URLClassLoader loader =
                    new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            loader.loadClass("io.vtagent.VtAgent")
                    .getMethod(entry, String.class, Instrumentation.class)
                    .invoke(null, OPTIONS, instrumentation);
        } catch (IOException noFile) {
            throw new NoAgentException(
                    "its jar could not be written to the folder of java.io.tmpdir: " + noFile,
                    noFile);
        } catch (ReflectiveOperationException notOurs) {
            Throwable cause =
                    notOurs instanceof InvocationTargetException thrown
                            ? thrown.getCause()
                            : notOurs;
            throw new NoAgentException("it does not start: " + cause, notOurs);
        }
    }

    private static Path extract() throws IOException {
        Path file = Files.createTempFile("vt-agent-", ".jar");
        file.toFile().deleteOnExit();
        try (InputStream in = PinAgent.class.getResourceAsStream(JAR)) {
            if (in == null) {
                throw new IOException("there is no " + JAR + " in the jar of vt-agent-junit");
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }
}
