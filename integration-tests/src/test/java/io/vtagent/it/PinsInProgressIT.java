package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.HeldCarriers;
import io.vtagent.it.workload.HeldInitializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pin is known from the moment it begins. */
final class PinsInProgressIT {

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void pinsAreVisibleBeforeTheyEndThoughEveryCarrierIsHeld(Jdk jdk) {
        // no carriers to add, so that eight threads hold all there are
        String[] eight = {"-Djdk.virtualThreadScheduler.maxPoolSize=8", "-Djdk.virtualThreadScheduler.minRunnable=8"};
        try (ForkedJvm jvm = ForkedJvm.on(jdk)
                .carriers(8)
                .vm(eight)
                .vm("-Xverify:all")
                .agent()
                .main(HeldCarriers.class, 3, 2, 3)
                .awaitLine("held")) {
            Endpoint endpoint = jvm.endpoint();
            Metrics during = endpoint.metrics();
            double longest = during.value("vthread_pinned_active_longest_seconds");

            assertThat(during.active("park")).isEqualTo(3);
            assertThat(during.active("wait")).isEqualTo(2);
            assertThat(during.active("enter")).isEqualTo(3);
            assertThat(longest).isPositive();
            assertThat(endpoint.metrics().value("vthread_pinned_active_longest_seconds"))
                    .isGreaterThan(longest);
            assertThat(endpoint.get("/healthz", "*/*").body()).isEqualTo("ok\n");
            assertThat(endpoint.report().get("active").get("count").number()).isEqualTo(8);

            jvm.proceed();
            Metrics after = jvm.awaitDone().metrics();
            assertThat(after.sum("vthread_pinned_active")).isZero();
            assertThat(after.value("vthread_pinned_active_longest_seconds")).isZero();
            // none of the eight was counted before it ended
            Metrics ended = after.since(during);
            assertThat(ended.pins("kind", "park")).isGreaterThanOrEqualTo(3);
            assertThat(ended.pins("kind", "wait")).isGreaterThanOrEqualTo(2);
            assertThat(ended.pins("kind", "enter")).isGreaterThanOrEqualTo(3);
            assertThat(after.all("vthread_pinned_seconds_max").mapToDouble(Metrics.Sample::value))
                    .anyMatch(max -> max > longest);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aParkInAClassInitializerIsVisibleBeforeItEndsThoughItHoldsTheOnlyCarrier(Jdk jdk) {
        try (ForkedJvm jvm = ForkedJvm.on(jdk)
                .carriers(1)
                .vm("-Djdk.virtualThreadScheduler.maxPoolSize=1", "-Xverify:all")
                .agent()
                .main(HeldInitializer.class)
                .awaitLine("held")) {
            Endpoint endpoint = jvm.endpoint();
            Metrics during = endpoint.metrics();
            double longest = during.value("vthread_pinned_active_longest_seconds");

            assertThat(during.active("park")).isEqualTo(1);
            assertThat(during.pins("kind", "park")).isZero();
            assertThat(endpoint.metrics().value("vthread_pinned_active_longest_seconds"))
                    .isGreaterThan(longest);
            assertThat(endpoint.get("/healthz", "*/*").body()).isEqualTo("ok\n");

            jvm.proceed();
            Metrics after = jvm.awaitDone().metrics();
            assertThat(after.sum("vthread_pinned_active")).isZero();
            assertThat(after.pins("kind", "park")).isPositive();
        }
    }
}
