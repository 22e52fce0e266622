package io.vtagent.it.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The conversation of a workload with its test: lines on stdout, and one on stdin whenever the
 * workload is to go on.
 */
public final class WorkloadConsole {
    private static final long PERIOD_NANOS = 20_000_000;

    private WorkloadConsole() {}

    /** Prints a fact that the test compares with the agent's figures. */
    public static void fact(String key, Object value) {
        System.out.println(key + "=" + value);
    }

    /** Prints {@code done} and waits. */
    public static void done() {
        printAndWait("done");
    }

    /**
     * Prints {@code warm} and waits, while a virtual thread runs every now and then: when the agent
     * has detected one, it asks the JVM for events.
     */
    public static void warmUp() throws InterruptedException {
        AtomicBoolean released = new AtomicBoolean();
        Thread warming =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!released.get()) {
                                        runOne();
                                        LockSupport.parkNanos(PERIOD_NANOS);
                                    }
                                });
        printAndWait("warm");
        released.set(true);
        warming.join();
    }

    /** To its end: none of them is to be queued when what is to be measured begins. */
    private static void runOne() {
        try {
            Thread.startVirtualThread(() -> {}).join();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    /** Prints {@code line}, and waits until the test goes on. */
    public static void printAndWait(String line) {
        System.out.println(line);
        try {
            int character = System.in.read();
            while (character >= 0 && character != '\n') {
                character = System.in.read();
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
