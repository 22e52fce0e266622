package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.VirtualMachine;
import java.time.Duration;

/** Loads the agent into a JVM that runs, as {@code attach}, {@code set} and {@code detach} do. */
final class Attaching {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Attaching() {}

    /** Returns when the JVM has the agent's thread. */
    static void attach(ForkedJvm jvm, String options) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
            try {
                machine.loadAgent(ForkedJvm.agentJar().toString(), options);
            } finally {
                machine.detach();
            }
        } catch (Exception failed) {
            throw new AssertionError("cannot attach\n" + jvm, failed);
        }
    }

    /** Returns when the agent has left, for the {@code number}th time. */
    static void detach(ForkedJvm jvm, int number) {
        attach(jvm, "detach");
        jvm.awaitStderr(number, line -> line.startsWith("[vt-agent] vt-agent was detached"));
    }

    /**
     * Waits until the sensors have reported a pin, or, where monitors do not pin, until they have
     * reported anything that runs on virtual threads.
     */
    static void awaitPins(Endpoint endpoint) {
        await("pins")
                .atMost(LIMIT)
                .until(
                        () -> {
                            Metrics metrics = endpoint.metrics();
                            return metrics.sum("vthread_pinned_seconds_count") > 0
                                    || (metrics.sum("vthread_agent_sensor_up", "sensor", "park")
                                                    == 1
                                            && metrics.sum("vthread_scheduler_delay_seconds_count")
                                                    > 0);
                        });
    }
}
