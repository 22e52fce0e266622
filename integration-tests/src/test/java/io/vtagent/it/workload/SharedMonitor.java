package io.vtagent.it.workload;

/** {@code block|method|static TASKS MILLIS}: every task sleeps once in the same monitor. Some of them come before, to warm up. */
public final class SharedMonitor {
    private static final int WARM_UP_TASKS = 40;

    private SharedMonitor() {}

    public static void main(String[] arguments) throws InterruptedException {
        String shape = arguments[0];
        int tasks = Integer.parseInt(arguments[1]);
        long millis = Long.parseLong(arguments[2]);
        SharedMonitor shared = new SharedMonitor();
        Tasks.run(WARM_UP_TASKS, number -> shared.sleep(shape, millis));
        Told.says("warm");
        long beganNanos = System.nanoTime();
        Tasks.run(tasks, number -> shared.sleep(shape, millis));
        Told.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
        Told.fact("site", Here.of("sleep"));
        Told.done();
    }

    private void sleep(String shape, long millis) throws InterruptedException {
        switch (shape) {
            case "block" -> inBlock(millis);
            case "method" -> inMethod(millis);
            case "static" -> inStaticMethod(millis);
            default -> throw new IllegalArgumentException(shape);
        }
    }

    private void inBlock(long millis) throws InterruptedException {
        synchronized (this) {
            Thread.sleep(Here.is("sleep", millis));
        }
    }

    private synchronized void inMethod(long millis) throws InterruptedException {
        Thread.sleep(Here.is("sleep", millis));
    }

    private static synchronized void inStaticMethod(long millis) throws InterruptedException {
        Thread.sleep(Here.is("sleep", millis));
    }
}
