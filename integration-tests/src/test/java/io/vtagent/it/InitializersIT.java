package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.EnteringInitializers;
import io.vtagent.it.workload.Initializers;
import io.vtagent.it.workload.Sleepers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The behaviour that all JDKs share: a class initializer holds the carrier of its thread, and a
 * thread that holds nothing does not.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class InitializersIT {
    private static final int CARRIERS = 8;
    private static final int MILLIS = 1_000;

    /**
     * The minimum share of the initializer's time: the pin begins after the call, and a busy
     * machine runs something else in between.
     */
    private static final double MIN = 0.9;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aSleepInAClassInitializerIsOneParkOfThatInitializer() {
        try (ForkedJvm jvm = on(jdk).main(Initializers.class, "park", MILLIS).awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            assertThat(metrics.pins("kind", "park")).isEqualTo(1);
            assertThat(metrics.pins("kind", "park", "reason", "class_init")).isEqualTo(1);
            assertThat(metrics.sites("park")).containsOnlyKeys(jvm.fact("site"));
            assertThat(metrics.heldSeconds("kind", "park"))
                    .isBetween(MIN * jvm.number("seconds"), jvm.number("seconds"));
            assertThat(metrics.pins("kind", "wait")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "on"})
    void aWaitInAClassInitializerIsOneWaitOfThatInitializer(String events) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .agent("port=0,report=off,vm-events=" + events)
                        .main(Initializers.class, "wait", MILLIS)
                        .awaitSensor(events.equals("on") ? "vm" : "wait")
                        .awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed().awaitDone();
            double doneAtNanos = jvm.endpoint().report().get("uptimeNanos").number();
            // an event would have come by then
            Metrics metrics = jvm.awaitUptime(doneAtNanos + 2.5e9).metrics().since(before);

            assertThat(metrics.pins("kind", "wait")).isEqualTo(1);
            assertThat(
                            metrics.pins(
                                    "kind",
                                    "wait",
                                    "reason",
                                    jdk.monitorsPin() ? "monitor" : "class_init"))
                    .isEqualTo(1);
            assertThat(metrics.sites("wait")).containsOnlyKeys(jvm.fact("site"));
            assertThat(metrics.heldSeconds("kind", "wait"))
                    .isBetween(MIN * jvm.number("seconds"), jvm.number("seconds"));
            assertThat(metrics.pins("kind", "park")).isZero();
        }
    }

    /** On JDK 21 the hooks record it; since JDK 24 only the sampler finds it. */
    @Test
    void twoInitializersThatEnterAMonitorWaitForTheMonitorAndNotForEachOthersClass() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .agent("port=0,report=off,vm-events=off")
                        .main(EnteringInitializers.class, MILLIS)
                        .awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            assertThat(metrics.pins("kind", "class_init")).isZero();
            assertThat(metrics.heldSeconds("kind", "enter"))
                    .isGreaterThan(MIN * jvm.number("seconds"));
            assertThat(
                            metrics.pins(
                                    "kind",
                                    "enter",
                                    "reason",
                                    jdk.monitorsPin() ? "monitor" : "class_init"))
                    .isEqualTo(metrics.pins("kind", "enter"));
        }
    }

    @Test
    void tenThousandSleepersAreNoPinAtAll() {
        // without the sampler, which now and then hits a carrier that the JVM itself lets wait
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm("-Xverify:all")
                        .agent("port=0,report=off,sample-interval=off")
                        .main(Sleepers.class, 10_000, 100)
                        .awaitDone()) {
            assertThat(jvm.metrics().pins()).isZero();

            jvm.proceed(); // and one that is a pin, for comparison
            assertThat(jvm.awaitLine("pinned").metrics().pins("kind", "park")).isEqualTo(1);
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk).carriers(CARRIERS).vm("-Xverify:all").agent();
    }
}
