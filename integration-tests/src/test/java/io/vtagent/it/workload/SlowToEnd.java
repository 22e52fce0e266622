package io.vtagent.it.workload;

/** Ends at once, but for a shutdown hook that says {@code ending} and waits. */
public final class SlowToEnd {
    private SlowToEnd() {}

    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Told.says("ending")));
    }
}
