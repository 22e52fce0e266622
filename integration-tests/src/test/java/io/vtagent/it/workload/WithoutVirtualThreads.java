package io.vtagent.it.workload;

/** Is over at once. Tells whether the agent was beginning still. */
public final class WithoutVirtualThreads {
    private WithoutVirtualThreads() {}

    public static void main(String[] arguments) {
        Told.fact(
                "beginning",
                Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("vt-agent-start")));
    }
}
