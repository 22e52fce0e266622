package io.vtagent.bench.program;

/** Prints what part of a processor this process takes while something is done. */
final class ProcessorShare {
    private static final double PERCENT = 100;

    private ProcessorShare() {}

    static void printWhile(Runnable done) {
        long usedNanos = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        done.run();
        double used = ProcessTime.nanos() - usedNanos;
        System.out.println("processorPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
    }
}
