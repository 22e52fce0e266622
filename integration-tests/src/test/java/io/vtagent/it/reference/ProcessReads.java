package io.vtagent.it.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Every thread reads the output of a process of its own, a {@code cat}, that echoes what it is
 * given once in a while. That is bracketed by {@code jdk.internal.misc.Blocker} on JDK 21 and on
 * 25.
 */
final class ProcessReads implements Workload {
    private static final long MILLIS = 10;

    private final List<InputStream> outputs = new ArrayList<>();
    private final List<OutputStream> inputs = new ArrayList<>();
    private volatile boolean closed;

    ProcessReads(int threads, Duration limit) throws IOException {
        for (int i = 0; i < threads; i++) {
            Process cat = new ProcessBuilder("cat").start();
            inputs.add(cat.getOutputStream());
            outputs.add(cat.getInputStream());
        }
        Thread.ofPlatform().start(this::write);
    }

    private void write() {
        try {
            while (!closed) {
                Thread.sleep(MILLIS);
                for (OutputStream input : inputs) {
                    input.write(1);
                    input.flush();
                }
            }
        } catch (IOException | InterruptedException failed) {
            if (!closed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        if (outputs.get(thread).read() != 1) {
            throw new IllegalStateException("the process has ended");
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (OutputStream input : inputs) {
            input.close(); // which ends the process
        }
    }
}
