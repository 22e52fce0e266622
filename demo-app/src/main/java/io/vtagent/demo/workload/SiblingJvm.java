package io.vtagent.demo.workload;

import io.vtagent.demo.model.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A second JVM without the agent, for the other side of a connection. It has to end when its
 * standard input does, so that it never outlives this one.
 */
public final class SiblingJvm implements AutoCloseable {

    private final String main;
    private final Process process;
    private final BufferedReader output;

    public SiblingJvm(Class<?> main, Object... arguments) throws IOException {
        this.main = main.getSimpleName();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path", ""),
                                main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = process.inputReader();
    }

    /** The next result that it prints. */
    public Result result() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (Result.parse(line).isPresent()) {
                return Result.parse(line).get();
            }
        }
        throw new IOException(main + " ended without a result");
    }

    /** Lets it go. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
