package io.vtagent.it;

import com.sun.jna.Native;
import io.vtagent.it.fault.FaultAgent;
import io.vtagent.it.fault.FaultyApplication;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.jar.asm.ClassReader;
import org.assertj.core.api.SoftAssertions;

/** A JVM with the agent, in which methods of the agent fail when the test asks for it. */
final class FaultyJvm implements AutoCloseable {
    static final int CARRIERS = 4;

    private final ForkedJvm jvm;
    private int commands;
    private int lent;

    private FaultyJvm(ForkedJvm jvm) {
        this.jvm = jvm;
    }

    static FaultyJvm on(Jdk jdk, String options) {
        return on(jdk, options, "");
    }

    /**
     * @param options of the agent, beside its port
     * @param fault the point that fails from the start and what it throws, or nothing
     */
    static FaultyJvm on(Jdk jdk, String options, String fault) {
        return on(ForkedJvm.on(jdk), options, fault);
    }

    static FaultyJvm on(ForkedJvm.Launch launch, String options, String fault) {
        return new FaultyJvm(
                launch.carriers(CARRIERS)
                        .vm(
                                "-javaagent:" + jar() + "=" + fault,
                                "-Djdk.reflect.useNativeAccessorOnly=true",
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED")
                        .classPath(
                                ForkedJvm.locationOf(ClassReader.class),
                                ForkedJvm.locationOf(Native.class))
                        .agent("port=0," + options)
                        .main(FaultyApplication.class, CARRIERS));
    }

    /**
     * Returns a jar that contains only the name of the agent, whose classes are on the class path.
     */
    private static Path jar() {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(new Attributes.Name("Premain-Class"), FaultAgent.class.getName());
        try {
            Path jar = Files.createTempFile("faults", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(jar)) {
                new JarOutputStream(out, manifest).close();
            }
            return jar;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the answer of the application. */
    String ask(Object... words) {
        commands++;
        StringBuilder line = new StringBuilder().append(commands);
        for (Object word : words) {
            line.append(' ').append(word);
        }
        jvm.send(line.toString());
        return jvm.fact(Integer.toString(commands));
    }

    int number(Object... words) {
        return Integer.parseInt(ask(words));
    }

    /** Has the application end by itself; its exit code. */
    int end() {
        return jvm.send("").end();
    }

    /**
     * Returns how many more carriers than at the last call the scheduler has for those that it
     * believes to be blocked.
     */
    int lentMore() {
        int before = lent;
        lent = number("lent", before);
        return lent - before;
    }

    /**
     * Has the application end by itself, as it would without the agent, and fails if anything
     * failed.
     */
    void endUnharmed(SoftAssertions softly) {
        softly.assertThat(number("uncaught"))
                .as("exceptions that came to the application's handler")
                .isZero();
        softly.assertThat(end()).as("exit code").isZero();
        softly.assertThat(jvm.stdout())
                .as("exceptions at the end")
                .noneMatch(line -> line.startsWith("uncaught"));
        softly.assertAll();
    }

    ForkedJvm jvm() {
        return jvm;
    }

    @Override
    public void close() {
        jvm.close();
    }
}
