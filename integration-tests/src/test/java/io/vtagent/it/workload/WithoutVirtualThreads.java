package io.vtagent.it.workload;

/** {@code MILLIS}: is over after so long. Tells whether the agent was beginning still. */
public final class WithoutVirtualThreads {
    private WithoutVirtualThreads() {}

    public static void main(String[] arguments) throws InterruptedException {
        Told.fact(
                "beginning",
                Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("vt-agent-start")));
        Thread.sleep(Long.parseLong(arguments[0]));
    }
}
