package io.vtagent.it.workload;

/**
 * Pins some virtual threads, each at a site of its own, and ends; the JDK may be configured to
 * print that.
 */
public final class TracedPins {
    private TracedPins() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("main");
        Tasks.run(
                4,
                number -> {
                    synchronized (new Object()) {
                        Thread.sleep(20);
                    }
                });
        System.out.println("over");
    }
}
