package io.vtagent.it.workload;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * {@code JAR VERSION CODE}: enters the agent in {@code JAR} as the JVM does, in a JVM that claims
 * to be of an older version; then ends with that exit code. For machines without a JVM that old.
 */
public final class PretendedVersion {
    private PretendedVersion() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.specification.version", arguments[1]);
        URL jar = Path.of(arguments[0]).toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar})) {
            Method premain =
                    loader.loadClass("io.vtagent.VtAgent")
                            .getMethod("premain", String.class, Instrumentation.class);
            premain.invoke(null, "", null);
        }
        System.exit(Integer.parseInt(arguments[2]));
    }
}
