package io.vtagent.it.workload;

/**
 * {@code THREADS MILLIS}: as the first thing that it does, starts that many virtual threads that sleep in a monitor of their own, each
 * with a stack that was not there before.
 */
public final class FirstPins {
    private FirstPins() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        Tasks.join(Tasks.start(threads, number -> descend(number, millis)));
        Told.done();
    }

    private static void descend(int more, long millis) throws InterruptedException {
        if (more > 0) {
            descend(more - 1, millis);
            return;
        }
        synchronized (new Object()) {
            Thread.sleep(millis);
        }
    }
}
