package io.vtagent.it.workload;

/** Changes system properties, as the first thing that it does. */
public final class ChangesProperties {
    private ChangesProperties() {}

    public static void main(String[] arguments) {
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "3");
        System.clearProperty("java.version");
        WorkloadConsole.done();
    }
}
