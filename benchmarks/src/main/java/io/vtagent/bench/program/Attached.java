package io.vtagent.bench.program;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Virtual threads that only yield, in a JVM that an agent is attached to while they do. Prints how
 * many million times a second they yielded {@code before}, {@code attached} and, if the agent can
 * be detached, {@code detached}.
 */
public final class Attached {
    private static final int YIELDS = 100;
    private static final long THREAD_NANOS = 500_000_000;
    private static final double NANOS_PER_MICRO = 1_000;

    private static final LongAdder YIELDED = new LongAdder();

    private Attached() {}

    /**
     * @param arguments seconds to settle and to measure, the agent's jar, what it is given, and
     *     what it is given to be detached
     */
    public static void main(String[] arguments) throws Exception {
        long settleMillis = Long.parseLong(arguments[0]) * 1_000;
        long millis = Long.parseLong(arguments[1]) * 1_000;
        int carriers = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < carriers; i++) {
            Thread.ofPlatform().daemon().start(Attached::comeAndGo);
        }
        print("before", settleMillis, millis);
        load(arguments[2], arguments[3]);
        print("attached", settleMillis, millis);
        if (arguments.length > 4) {
            load(arguments[2], arguments[4]);
            print("detached", settleMillis, millis);
        }
    }

    /**
     * Threads that come and go: one that is there while a class is changed may stay in what it was.
     */
    private static void comeAndGo() {
        try {
            while (true) {
                Thread.startVirtualThread(Attached::yieldForAWhile).join();
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // it is what is measured
    private static void yieldForAWhile() {
        long endNanos = System.nanoTime() + THREAD_NANOS;
        while (System.nanoTime() < endNanos) {
            for (int i = 0; i < YIELDS; i++) {
                Thread.yield();
            }
            YIELDED.add(YIELDS);
        }
    }

    private static void print(String name, long settleMillis, long millis)
            throws InterruptedException {
        Thread.sleep(settleMillis);
        long yieldedBefore = YIELDED.sum();
        long beganNanos = System.nanoTime();
        Thread.sleep(millis);
        double perMicro =
                (YIELDED.sum() - yieldedBefore)
                        * NANOS_PER_MICRO
                        / (System.nanoTime() - beganNanos);
        System.out.printf(Locale.ROOT, "%s=%.3f%n", name, perMicro);
    }

    /** As {@code jcmd} of this JDK does it. */
    private static void load(String jar, String options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(ProcessHandle.current().pid()),
                                "JVMTI.agent_load",
                                new File(jar).getAbsolutePath()));
        if (!options.isEmpty()) {
            command.add(options);
        }
        Process jcmd =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.DISCARD)
                        .start();
        if (jcmd.waitFor() != 0) {
            throw new IOException(command + " ended with " + jcmd.exitValue());
        }
    }
}
