package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import io.vtagent.demo.text.Sample;
import io.vtagent.it.workload.HeldCarriers;
import io.vtagent.it.workload.HeldInitializer;
import io.vtagent.it.workload.RareLongPin;
import io.vtagent.it.workload.StuckCarriers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A pin is known from the moment it begins. */
final class PinsInProgressIT {

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void pinsAreVisibleBeforeTheyEndThoughEveryCarrierIsHeld(Jdk jdk) {
        // no carriers to add, so that eight threads hold all there are
        String[] eight = {
            "-Djdk.virtualThreadScheduler.maxPoolSize=8",
            "-Djdk.virtualThreadScheduler.minRunnable=8"
        };
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
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
            for (String kind : List.of("park", "wait", "enter")) {
                assertThat(during.heldSoFar(kind)).isPositive();
                assertThat(endpoint.metrics().heldSoFar(kind))
                        .isGreaterThan(during.heldSoFar(kind));
            }

            jvm.proceed();
            Metrics after = jvm.awaitDone().metrics();
            assertThat(after.sum("vthread_pinned_active")).isZero();
            assertThat(after.value("vthread_pinned_active_longest_seconds")).isZero();
            for (String kind : List.of("park", "wait", "enter")) {
                // some began to wait, and went on before they had slept
                assertThat(after.heldSoFar(kind))
                        .isGreaterThan(during.heldSoFar(kind))
                        .isCloseTo(after.heldSeconds("kind", kind), within(0.001));
            }
            // none of the eight was counted before it ended
            Metrics ended = after.since(during);
            assertThat(ended.pins("kind", "park")).isGreaterThanOrEqualTo(3);
            assertThat(ended.pins("kind", "wait")).isGreaterThanOrEqualTo(2);
            assertThat(ended.pins("kind", "enter")).isGreaterThanOrEqualTo(3);
            assertThat(after.all("vthread_pinned_seconds_max").mapToDouble(Sample::value))
                    .anyMatch(max -> max > longest);
        }
    }

    /** As in a deadlock, of which nothing has ended yet. */
    @ParameterizedTest
    @MethodSource("waysToBeStuck")
    void whatHasNotEndedHasItsTimeAndItsSite(Jdk jdk, String how, String kind) {
        int carriers = 4;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(carriers)
                        .vm(
                                "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers,
                                "-Djdk.reflect.useNativeAccessorOnly=true",
                                "--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0")
                        .main(StuckCarriers.class, how, carriers)
                        .awaitLine("stuck")) {
            Metrics before = jvm.awaitMetrics(metrics -> metrics.active(kind) == carriers);
            double held = before.heldSoFar(kind);
            assertThat(held).isPositive();
            Metrics later = jvm.awaitMetrics(metrics -> metrics.heldSoFar(kind) > held);
            Endpoint endpoint = jvm.endpoint();
            // of `inNative` each is short and another one follows; a stack may be read late
            Json report =
                    await().until(
                                    endpoint::report,
                                    now ->
                                            sum(now, "totals", kind, "inProgress", "count")
                                                            == carriers
                                                    && isAttributed(now, kind));
            for (String list : List.of("totals", "sites")) {
                assertThat(sum(report, list, kind, "count")).isGreaterThanOrEqualTo(carriers);
                assertThat(sum(report, list, kind, "inProgress", "count")).isEqualTo(carriers);
                assertThat(sum(report, list, kind, "heldNanos") / 1e9)
                        .isGreaterThan(later.heldSoFar(kind));
            }
            assertThat(all(report, "sites", kind))
                    .filteredOn(site -> site.get("inProgress").value() != null)
                    .isNotEmpty()
                    .allSatisfy(
                            site ->
                                    assertThat(site.get("stack").list())
                                            .extracting(Json::string)
                                            .anyMatch(
                                                    frame ->
                                                            frame.contains(
                                                                    "StuckCarriers." + how + "(")));
            assertThat(jvm.endpoint().get("/report", "*/*").body())
                    .contains(
                            " pins in progress, the oldest for ",
                            " pins in progress), longest ",
                            "StuckCarriers." + how + "(");

            jvm.proceed().awaitLine("free");
            assertThat(jvm.metrics().heldSoFar(kind)).isGreaterThanOrEqualTo(later.heldSoFar(kind));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void onePinThatLastsAmongManyTooShortToReadTheirStacksHasItsPlace(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=" + !jdk.monitorsPin())
                        .agent()
                        .main(RareLongPin.class, jdk.monitorsPin() ? "monitor" : "native", 300_000)
                        .awaitLine("pinned")) {
            Endpoint endpoint = jvm.endpoint();
            List<String> kinds = jdk.monitorsPin() ? List.of("park", "enter") : List.of("park");
            await().atMost(Duration.ofSeconds(30))
                    .until(
                            () -> {
                                Json report = endpoint.report();
                                return kinds.stream()
                                        .allMatch(
                                                kind ->
                                                        placesInProgress(report, kind)
                                                                .anyMatch(
                                                                        PinsInProgressIT
                                                                                ::isRareLongPin));
                            });
            for (String kind : kinds) {
                assertThat(placesInProgress(endpoint.report(), kind))
                        .singleElement()
                        .matches(PinsInProgressIT::isRareLongPin);
            }
            jvm.proceed().awaitDone();
        }
    }

    private static boolean isRareLongPin(String place) {
        return place.startsWith(RareLongPin.class.getName() + ".");
    }

    private static Stream<String> placesInProgress(Json report, String kind) {
        return all(report, "sites", kind).stream()
                .filter(site -> site.get("inProgress").value() != null)
                .map(site -> site.get("caller").string());
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatHasNotEndedWhenTheJvmEndsIsInTheReportWithItsTime(Jdk jdk, @TempDir Path folder)
            throws IOException {
        int carriers = 4;
        Path file = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(carriers)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=off,report=" + file)
                        .main(StuckCarriers.class, "exit", carriers)) {
            assertThat(jvm.end()).isEqualTo(StuckCarriers.EXIT_CODE);
        }
        Json report = Json.parse(Files.readString(file));
        for (String list : List.of("totals", "sites")) {
            assertThat(sum(report, list, "wait", "inProgress", "count")).isEqualTo(carriers);
            assertThat(sum(report, list, "wait", "inProgress", "heldNanos")).isPositive();
        }
    }

    static Stream<Arguments> waysToBeStuck() {
        return Jdks.all().stream()
                .flatMap(
                        jdk ->
                                Stream.of(
                                        Arguments.of(jdk, "monitor", "enter"),
                                        Arguments.of(jdk, "wait", "wait"),
                                        Arguments.of(jdk, "inNative", "native"),
                                        // from JDK 24 on it is not bracketed for the scheduler any
                                        // more
                                        Arguments.of(
                                                jdk,
                                                "inFile",
                                                jdk.monitorsPin() ? "io" : "native")));
    }

    private static boolean isAttributed(Json report, String kind) {
        return all(report, "sites", kind).stream()
                .allMatch(
                        site ->
                                site.get("inProgress").value() == null
                                        || site.get("stack").value() != null);
    }

    private static List<Json> all(Json report, String list, String kind) {
        return report.get(list).list().stream()
                .filter(each -> each.get("kind").string().equals(kind))
                .toList();
    }

    private static double sum(Json report, String list, String kind, String... field) {
        return all(report, list, kind).stream()
                .mapToDouble(
                        each -> {
                            Json value = each;
                            for (String name : field) {
                                value = value.value() == null ? value : value.get(name);
                            }
                            return value.value() == null ? 0 : value.number();
                        })
                .sum();
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aParkInAClassInitializerIsVisibleBeforeItEndsThoughItHoldsTheOnlyCarrier(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
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
