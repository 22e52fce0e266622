package io.vtagent.it.workload;

import java.lang.reflect.Field;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * {@code THREADS}: shuts the scheduler of virtual threads down, which refuses that many more. Needs
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
public final class ClosedScheduler {
    private ClosedScheduler() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        WorkloadConsole.warmUp();
        Field scheduler =
                Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
        scheduler.setAccessible(true);
        ((ExecutorService) scheduler.get(null)).shutdown();
        int refused = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            try {
                Thread.ofVirtual().start(() -> {});
            } catch (RejectedExecutionException expected) {
                refused++;
            }
        }
        WorkloadConsole.fact("refused", refused);
        WorkloadConsole.done();
    }
}
