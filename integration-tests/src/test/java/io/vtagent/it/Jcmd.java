package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code jcmd PID COMMAND}. */
final class Jcmd {
    private Jcmd() {}

    /** Returns its output. */
    static String run(ForkedJvm jvm, String... command) {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(jvm.pid())));
        line.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String result =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(result).isZero();
            return result;
        } catch (IOException cannot) {
            throw new AssertionError("jcmd cannot be run", cannot);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Loads the agent, with {@code arguments} as a shell leaves them. */
    static void load(ForkedJvm jvm, String arguments) {
        run(jvm, "JVMTI.agent_load", ForkedJvm.agentJar().toString(), arguments);
    }
}
