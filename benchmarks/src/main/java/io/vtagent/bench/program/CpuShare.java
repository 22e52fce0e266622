package io.vtagent.bench.program;

/** Prints the share of a CPU that this process takes while something is done. */
final class CpuShare {
    private static final double PERCENT = 100;

    private CpuShare() {}

    static void printWhile(Runnable done) {
        long usedNanos = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        done.run();
        double used = ProcessTime.nanos() - usedNanos;
        System.out.println("processorPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
    }
}
