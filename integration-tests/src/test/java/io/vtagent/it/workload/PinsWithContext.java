package io.vtagent.it.workload;

import java.time.Duration;
import org.slf4j.MDC;

/** A virtual thread with a diagnostic context holds its carrier in a class initializer. */
public final class PinsWithContext {
    private static final Duration PIN = Duration.ofMillis(700);

    private PinsWithContext() {}

    private static final class Slow {
        static {
            try {
                Thread.sleep(PIN);
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        }

        private Slow() {}

        static void touch() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread.ofVirtual()
                .name("order-7")
                .start(
                        () -> {
                            MDC.put("traceId", "4bf92f35");
                            MDC.put("other", "not asked for");
                            Slow.touch();
                        })
                .join();
        WorkloadConsole.done();
    }
}
