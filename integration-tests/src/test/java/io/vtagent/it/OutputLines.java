package io.vtagent.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The lines that a forked JVM writes to a stream, read by a thread of their own. Thread-safe. */
final class OutputLines {
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;
    private boolean open = true;

    OutputLines(InputStream from) {
        reader =
                Thread.ofPlatform().daemon().name("output of a forked JVM").start(() -> read(from));
    }

    private void read(InputStream from) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                add(line);
            }
        } catch (IOException killed) {
            // as much as there was
        } finally {
            ended();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void ended() {
        open = false;
        notifyAll();
    }

    synchronized boolean isOpen() {
        return open;
    }

    synchronized List<String> soFar() {
        return List.copyOf(lines);
    }

    /** Null if no line comes that is wanted, or not in time. */
    synchronized @Nullable String await(Predicate<String> wanted, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        int next = 0;
        while (true) {
            for (; next < lines.size(); next++) {
                if (wanted.test(lines.get(next))) {
                    return lines.get(next);
                }
            }
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (!open || leftMillis <= 0) {
                return null;
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    void awaitEnd(Duration limit) throws InterruptedException {
        reader.join(limit);
    }
}
