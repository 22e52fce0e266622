package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.Deadlock;
import io.vtagent.it.workload.HeldCarriers;
import io.vtagent.it.workload.NativeSocketReads;
import io.vtagent.it.workload.PinsBesideComputing;
import io.vtagent.it.workload.Relieved;
import io.vtagent.it.workload.ShortPins;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Carriers are added for those that are held, where that helps, and go away again. */
final class ReliefIT {
    private static final int CARRIERS = 8;
    private static final String ADDED = "vthread_relief_carriers_total";

    @Test
    void theKnownDeadlockIsResolvedWhereMonitorsPin() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(4)
                        .agent("port=0,report=off,relief=on")
                        .main(Deadlock.class, 4)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("released")
                        .proceed()) {
            assertThat(jvm.awaitDone().metrics().active("park")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void theHangOfSocketReadsAboveNativeFramesIsResolvedWhereThePollerIsAVirtualThread(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "relief=on")
                        .main(NativeSocketReads.class, 16, CARRIERS)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("written")
                        .proceed()) {
            assertThat(jvm.awaitDone().metrics().value(ADDED)).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void manyTimesAsManyTasksPinAtATime(Jdk jdk) {
        assertThat(mostPinned(jdk, "relief=off")).isLessThanOrEqualTo(CARRIERS);
        assertThat(mostPinned(jdk, "relief=on")).isGreaterThan(3 * CARRIERS);
    }

    private static double mostPinned(Jdk jdk, String relief) {
        try (ForkedJvm jvm = on(jdk, relief).main(Relieved.class, pin(jdk), 1_500, 10_000)) {
            return jvm.awaitLine("warm").proceed().number("most pinned at a time");
        }
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aMillionPinsLeaveNoCarrierBehindAndLoseNone(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "relief=on")
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=64")
                        .main(Relieved.class, pin(jdk), 1_000_000, 150)) {
            jvm.awaitLine("warm").proceed();
            assertThat(jvm.number("tasks")).isEqualTo(1_000_000);
            Endpoint endpoint = jvm.awaitLine("ran").endpoint();
            assertThat(endpoint.metrics().value("vthread_carriers_size")).isLessThanOrEqualTo(64);
            double before = endpoint.metrics().value("vthread_carriers_size");
            // the scheduler ends carriers that were idle for half a minute: JDK 21 one at a time,
            // later ones all
            double after = jdk.feature() < 25 ? before - 1 : CARRIERS;
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> endpoint.metrics().value("vthread_carriers_size") <= after);
            assertThat(jvm.proceed().number("atOnce")).isEqualTo(CARRIERS);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void tasksThatComputeRunOnNoMoreCarriersThanBefore(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "relief=on").main(PinsBesideComputing.class, pin(jdk), 100, 2_000)) {
            jvm.awaitLine("pinning").proceed();
            assertThat(jvm.number("pins")).isPositive();
            assertThat(jvm.number("atOnce"))
                    .describedAs(() -> "half of them ran beside fewer; " + jvm)
                    .isLessThan(1.25 * CARRIERS);
            assertThat(jvm.awaitDone().metrics().value(ADDED)).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void noMoreAreAddedThanWereAskedForAndTheLimitIsReportedOnce(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "relief=3").main(Relieved.class, pin(jdk), 500, 10_000)) {
            jvm.awaitLine("warm").proceed();
            Metrics metrics = jvm.awaitLine("ran").metrics();
            assertThat(metrics.value(ADDED))
                    .isPositive(); // more than 3 in all, if some have ended meanwhile
            assertThat(metrics.value("vthread_carriers_size")).isLessThanOrEqualTo(CARRIERS + 3);
            assertThat(jvm.number("most pinned at a time")).isLessThanOrEqualTo(CARRIERS + 3.0);
            jvm.proceed().awaitDone();
            assertThat(jvm.stderr())
                    .filteredOn(line -> line.contains("limit"))
                    .singleElement()
                    .asString()
                    .contains("relief=3");
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void pinsOfNoTimeAreLeftAlone(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "relief=on").main(ShortPins.class, pin(jdk), 200_000).awaitLine("pinned")) {
            // until it is known that they are short
            assertThat(jvm.metrics().value(ADDED)).isLessThan(4 * CARRIERS);
            assertThat(jvm.endpoint().report().get("relief").get("pins").number())
                    .isLessThan(2_000);
        }
    }

    @Test
    void whatTheSchedulerCompensatesIsLeftToIt() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=on").main(HeldCarriers.class, 0, 1, 0).awaitLine("held")) {
            Endpoint endpoint = jvm.endpoint();
            // long enough for the sampler to have compensated them
            await().atMost(Duration.ofSeconds(90))
                    .until(
                            () ->
                                    endpoint.metrics()
                                                    .value("vthread_pinned_active_longest_seconds")
                                            > 0.3);
            assertThat(endpoint.metrics().active("wait")).isEqualTo(1);
            jvm.proceed().awaitDone();
            // what held a carrier for a moment at the start may have been compensated
            assertThat(endpoint.report().get("relief").get("heldNanos").number()).isLessThan(0.3e9);
        }
    }

    @Test
    void offIsTheDefault() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .agent()
                        .main(Relieved.class, "monitor", 100, 1_000)
                        .awaitLine("warm")) {
            assertThat(jvm.metrics().text()).doesNotContain("relief");
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("relief"));
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk, String relief) {
        return ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=off," + relief);
    }

    private static String pin(Jdk jdk) {
        return jdk.monitorsPin() ? "monitor" : "native";
    }
}
