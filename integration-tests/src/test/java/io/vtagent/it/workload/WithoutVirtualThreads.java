package io.vtagent.it.workload;

import java.util.Arrays;

/** {@code MILLIS}: is over after so long. Tells whether the agent was beginning still. */
public final class WithoutVirtualThreads {
    private WithoutVirtualThreads() {}

    public static void main(String[] arguments) throws InterruptedException {
        Told.fact(
                "beginning",
                Thread.getAllStackTraces().values().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(
                                frame -> frame.getClassName().equals("io.vtagent.AgentBootstrap")));
        Thread.sleep(Long.parseLong(arguments[0]));
    }
}
