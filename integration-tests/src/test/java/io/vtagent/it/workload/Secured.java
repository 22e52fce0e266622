package io.vtagent.it.workload;

/**
 * Installs a security manager, as the first thing that it does, and then pins two virtual threads.
 * Up to JDK 23.
 */
public final class Secured {
    private Secured() {}

    @SuppressWarnings("removal") // it is the point
    public static void main(String[] arguments) throws InterruptedException {
        System.setSecurityManager(new SecurityManager());
        Tasks.run(
                2,
                number -> {
                    synchronized (new Object()) {
                        Thread.sleep(20);
                    }
                });
    }
}
