package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.TracedPins;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user in search of pins has set {@code jdk.tracePinnedThreads}, and then adds the agent. */
final class TracedPinsIT {
    @Test
    void theAgentStaysOutAndTheJdkPrintsThePins() {
        for (String value : List.of("full", "short")) {
            try (ForkedJvm jvm =
                    ForkedJvm.on(Jdks.jdk21())
                            .vm("-Djdk.tracePinnedThreads=" + value)
                            .agent("port=0,report=stderr")
                            .main(TracedPins.class)) {
                assertThat(jvm.end()).isZero();
                assertThat(jvm.stderr())
                        .singleElement()
                        .asString()
                        .contains("-Djdk.tracePinnedThreads", "JDK-8337331")
                        .endsWith("; the application runs without the agent");
                assertThat(jvm.stdout()).contains("main").endsWith("over");
                assertThat(jvm.stdout()).anyMatch(line -> line.contains("TracedPins"));
            }
        }
    }

    @Test
    void whereTheJdkHasNoSuchOptionAnyMoreTheAgentRuns() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk25())
                        .vm("-Djdk.tracePinnedThreads=full")
                        .agent("port=0")
                        .main(TracedPins.class)) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).anyMatch(line -> line.contains("do not pin"));
        }
    }
}
