package io.vtagent.it.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** How a workload talks to the test: lines on stdout, and one on stdin whenever it is to go on. */
public final class Told {
    private static final long PERIOD_NANOS = 20_000_000;

    private Told() {}

    /** A fact for the test to hold against what the agent says. */
    public static void fact(String key, Object value) {
        System.out.println(key + "=" + value);
    }

    /** Says {@code done} and waits. */
    public static void done() {
        says("done");
    }

    /**
     * Says {@code warm} and waits, while a virtual thread runs every now and then: when the agent
     * has seen one, it asks the JVM for events.
     */
    public static void warm() throws InterruptedException {
        AtomicBoolean told = new AtomicBoolean();
        Thread warming =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!told.get()) {
                                        runOne();
                                        LockSupport.parkNanos(PERIOD_NANOS);
                                    }
                                });
        says("warm");
        told.set(true);
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

    /** Prints {@code line}, and waits until the test has looked at what it wants to see. */
    public static void says(String line) {
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
