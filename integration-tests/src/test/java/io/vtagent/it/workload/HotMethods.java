package io.vtagent.it.workload;

/** {@code ROUNDS}: calls that the JIT compiler is to find hot, all of them in a monitor. */
public final class HotMethods {
    private static final Object MONITOR = new Object();
    private long counted;

    private HotMethods() {}

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        HotMethods hot = new HotMethods();
        for (int i = 0; i < rounds; i++) {
            hot.hotMethod(i);
            hotBlock(hot, i);
            hotLoop(hot, i);
        }
        WorkloadConsole.fact("counted", hot.counted);
        WorkloadConsole.done();
    }

    private synchronized void hotMethod(int n) {
        counted += n & 1;
    }

    private static void hotBlock(HotMethods hot, int n) {
        synchronized (hot) {
            hot.counted += n & 3;
        }
    }

    private static void hotLoop(HotMethods hot, int n) {
        synchronized (MONITOR) {
            for (int i = n & 7; i > 0; i--) {
                synchronized (hot) {
                    hot.counted += i;
                }
            }
        }
    }
}
