package io.vtagent.it.workload;

/**
 * {@code CODE}: a program that uses a virtual thread and a monitor, and ends with that exit code.
 */
public final class Exiting {
    private int slept;

    private Exiting() {}

    public static void main(String[] arguments) throws InterruptedException {
        Exiting exiting = new Exiting();
        Tasks.run(2, number -> exiting.sleep());
        Told.fact("slept", exiting.slept);
        System.exit(Integer.parseInt(arguments[0]));
    }

    private synchronized void sleep() throws InterruptedException {
        Thread.sleep(20);
        slept++;
    }
}
