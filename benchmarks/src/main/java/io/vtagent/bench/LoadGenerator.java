package io.vtagent.bench;

import io.vtagent.bench.program.Load;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Sends requests from a process of its own, {@link Load}. */
final class LoadGenerator implements AutoCloseable {
    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader results;

    private LoadGenerator(Process process) {
        this.process = process;
        orders = process.outputWriter();
        results = process.inputReader();
    }

    /** On this JVM's own JDK, whatever the service runs on. */
    static LoadGenerator start() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try {
            return new LoadGenerator(
                    new ProcessBuilder(
                                    java,
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    Load.class.getName())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException failure) {
            throw new IllegalStateException("cannot run " + java, failure);
        }
    }

    /** The responses in the time. */
    record Answered(double requests, double seconds, double p99Micros) {}

    Answered run(int port, String path, int seconds) {
        begin(port, path, seconds);
        return await();
    }

    /** Starts to send. {@link #await} returns the responses. */
    void begin(int port, String path, int seconds) {
        try {
            orders.write(port + " " + path + " " + seconds + "\n");
            orders.flush();
        } catch (IOException failure) {
            throw new IllegalStateException("lost the load generator", failure);
        }
    }

    Answered await() {
        try {
            String result = results.readLine();
            if (result == null) {
                throw new IllegalStateException("the load generator has ended");
            }
            String[] figures = result.split(" ", -1);
            return new Answered(
                    Double.parseDouble(figures[0]),
                    Double.parseDouble(figures[1]),
                    Double.parseDouble(figures[2]));
        } catch (IOException failure) {
            throw new IllegalStateException("lost the load generator", failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
