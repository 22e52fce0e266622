package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ShortPins;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The number of virtual threads does not matter: neither to the count nor to the memory. */
final class ManyPinsIT {
    private static final int TASKS = 1_000_000;
    private static final long BUDGET_BYTES = 8 << 20;

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aMillionThreadsThatPinOnceEachAreAMillionPinsInBoundedMemory(Jdk jdk) {
        double without;
        try (ForkedJvm plain =
                on(jdk).main(ShortPins.class, reason(jdk), TASKS).awaitLine("pinned")) {
            plain.proceed();
            without = plain.awaitDone().number("usedBytes");
        }
        try (ForkedJvm jvm =
                on(jdk).agent().main(ShortPins.class, reason(jdk), TASKS).awaitLine("pinned")) {
            Metrics metrics = jvm.metrics();
            jvm.proceed();
            double with = jvm.awaitDone().number("usedBytes");
            System.out.printf(
                    "%s, %,d pins: %,.0f KiB of live heap more with the agent%n",
                    jdk, TASKS, (with - without) / 1024);

            assertThat(metrics.pins("kind", "park", "reason", reason(jdk))).isEqualTo(TASKS);
            assertThat(with - without).isBetween(0.0, (double) BUDGET_BYTES);
        }
    }

    private static String reason(Jdk jdk) {
        return jdk.monitorsPin() ? "monitor" : "native";
    }

    /** The serial collector, since it leaves no gaps: what is in use is what is alive. */
    private static ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-XX:+UseSerialGC", "-Djdk.reflect.useNativeAccessorOnly=true");
    }
}
