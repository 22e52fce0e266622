package io.vtagent.it.workload;

import java.util.Arrays;

/** {@code MILLIS}: ends after that long. It prints whether the agent was still starting. */
public final class WithoutVirtualThreads {
    private WithoutVirtualThreads() {}

    public static void main(String[] arguments) throws InterruptedException {
        WorkloadConsole.fact(
                "beginning",
                Thread.getAllStackTraces().values().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(
                                frame -> frame.getClassName().equals("io.vtagent.AgentBootstrap")));
        Thread.sleep(Long.parseLong(arguments[0]));
    }
}
