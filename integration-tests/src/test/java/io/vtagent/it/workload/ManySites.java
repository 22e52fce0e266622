package io.vtagent.it.workload;

/** Three threads, one after the other, that wait in three places. */
public final class ManySites {
    private static final long MILLIS = 20;

    private ManySites() {}

    public static void main(String[] arguments) throws InterruptedException {
        ManySites monitor = new ManySites();
        Tasks.run(1, number -> monitor.first());
        Tasks.run(1, number -> monitor.second());
        Tasks.run(1, number -> monitor.third());
        WorkloadConsole.done();
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private synchronized void first() throws InterruptedException {
        wait(MILLIS);
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private synchronized void second() throws InterruptedException {
        wait(MILLIS);
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private synchronized void third() throws InterruptedException {
        wait(MILLIS);
    }
}
