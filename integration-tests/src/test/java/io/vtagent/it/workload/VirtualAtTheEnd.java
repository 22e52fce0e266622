package io.vtagent.it.workload;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Uses virtual threads for the first time when the JVM shuts down, until the agent has tried to
 * start the JVM's events.
 */
public final class VirtualAtTheEnd {
    private static final String STARTING = "vt-agent-vm-events";

    private VirtualAtTheEnd() {}

    public static void main(String[] arguments) {
        await(true);
        Runtime.getRuntime().addShutdownHook(new Thread(VirtualAtTheEnd::runVirtual));
    }

    private static void runVirtual() {
        AtomicBoolean over = new AtomicBoolean();
        Thread.startVirtualThread(
                () -> {
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
        await(false);
        over.set(true);
    }

    private static void await(boolean there) {
        while (Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals(STARTING))
                != there) {
            Thread.onSpinWait();
        }
    }
}
