package io.vtagent.it.workload;

import java.lang.reflect.Modifier;

/**
 * Prints its class loader and what it may reach; a virtual thread waits for one of its monitors.
 */
public final class SystemLoaded {
    /** Long enough for its stack to be sampled. */
    private static final int MILLIS = 50;

    private static final Object MONITOR = new Object();

    private SystemLoaded() {}

    public static void main(String[] arguments) throws Exception {
        WorkloadConsole.fact(
                "loader", ClassLoader.getSystemClassLoader().getClass().getSimpleName());
        WorkloadConsole.printAndWait("running");
        Thread waiter = Thread.ofVirtual().unstarted(SystemLoaded::enter);
        synchronized (MONITOR) {
            waiter.start();
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            Thread.sleep(MILLIS);
        }
        waiter.join();
        WorkloadConsole.fact(
                "synchronized",
                Modifier.isSynchronized(
                        SystemLoaded.class.getDeclaredMethod("locked").getModifiers()));
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        WorkloadConsole.fact(
                "open", isOpenTo(loader) || isOpenTo(OwnSystemLoader.class.getClassLoader()));
        WorkloadConsole.done();
    }

    private static boolean isOpenTo(ClassLoader loader) {
        return Object.class.getModule().isOpen("java.lang", loader.getUnnamedModule());
    }

    static synchronized void locked() {}

    private static void enter() {
        synchronized (MONITOR) {
            Thread.onSpinWait(); // nothing that lasts
        }
    }
}
