package io.vtagent.it.workload;

import java.util.concurrent.atomic.LongAdder;

/**
 * {@code block|method|static TASKS MILLIS}: every task sleeps once in the same monitor. Some of
 * them come before, to warm up.
 */
public final class SharedMonitor {
    private static final int WARM_UP_TASKS = 40;

    /** From before a thread asks for the monitor until it has it. */
    private static final LongAdder ENTERED_NANOS = new LongAdder();

    private static final LongAdder SLEPT_NANOS = new LongAdder();

    private SharedMonitor() {}

    public static void main(String[] arguments) throws InterruptedException {
        String shape = arguments[0];
        int tasks = Integer.parseInt(arguments[1]);
        long millis = Long.parseLong(arguments[2]);
        SharedMonitor shared = new SharedMonitor();
        Tasks.run(WARM_UP_TASKS, number -> shared.sleep(shape, millis));
        WorkloadConsole.printAndWait("warm");
        ENTERED_NANOS.reset();
        SLEPT_NANOS.reset();
        Tasks.run(tasks, number -> shared.sleep(shape, millis));
        WorkloadConsole.fact("entered", ENTERED_NANOS.sum() / 1e9);
        WorkloadConsole.fact("slept", SLEPT_NANOS.sum() / 1e9);
        WorkloadConsole.fact("site", SourceLine.of("sleep"));
        WorkloadConsole.done();
    }

    private void sleep(String shape, long millis) throws InterruptedException {
        long askedNanos = System.nanoTime();
        switch (shape) {
            case "block" -> inBlock(askedNanos, millis);
            case "method" -> inMethod(askedNanos, millis);
            case "static" -> inStaticMethod(askedNanos, millis);
            default -> throw new IllegalArgumentException(shape);
        }
    }

    private void inBlock(long askedNanos, long millis) throws InterruptedException {
        synchronized (this) {
            long beganNanos = System.nanoTime();
            ENTERED_NANOS.add(beganNanos - askedNanos);
            Thread.sleep(SourceLine.mark("sleep", millis));
            SLEPT_NANOS.add(System.nanoTime() - beganNanos);
        }
    }

    private synchronized void inMethod(long askedNanos, long millis) throws InterruptedException {
        long beganNanos = System.nanoTime();
        ENTERED_NANOS.add(beganNanos - askedNanos);
        Thread.sleep(SourceLine.mark("sleep", millis));
        SLEPT_NANOS.add(System.nanoTime() - beganNanos);
    }

    private static synchronized void inStaticMethod(long askedNanos, long millis)
            throws InterruptedException {
        long beganNanos = System.nanoTime();
        ENTERED_NANOS.add(beganNanos - askedNanos);
        Thread.sleep(SourceLine.mark("sleep", millis));
        SLEPT_NANOS.add(System.nanoTime() - beganNanos);
    }
}
