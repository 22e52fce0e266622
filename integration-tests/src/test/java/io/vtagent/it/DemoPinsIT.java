package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The demo's cases in which carriers are held, in small: what pins on which JDK, and at which line,
 * which is the one that the article marks.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoPinsIT {
    private static final String TASKS_PER_SECOND = "tasks/s";
    private static final String DEMO = "io.vtagent.demo.";
    private static final int CARRIERS = 8;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aSynchronizedRefreshHoldsCarriersWhereMonitorsPin() throws IOException {
        String site =
                DEMO
                        + "httprefresh.HttpRefreshDemo$SynchronizedClient.token:"
                        + DemoRun.lineOf(
                                "httprefresh/HttpRefreshDemo.java",
                                "// up to JDK 23 this holds a carrier");
        try (DemoRun pinned = run("http-refresh", "pinned", 400, 50);
                DemoRun fixed = run("http-refresh", "fixed", 400, 50)) {
            if (jdk.monitorsPin()) {
                assertThat(pinned.metrics().shareOfAttributed("park", site)).isGreaterThan(0.9);
            } else {
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
            }
            assertThat(fixed.metrics().pins("reason", "monitor")).isZero();
        }
    }

    @Test
    void aSynchronizedMapOfCountersHoldsCarriersOnlyOfThoseThatWaitToEnter() {
        String method = DEMO + "metricsmap.MetricsMapDemo$SynchronizedMetrics.record";
        try (DemoRun pinned = run("metrics-map", "pinned", 2_000, 1);
                DemoRun fixed = run("metrics-map", "fixed", 2_000, 1)) {
            if (jdk.monitorsPin()) {
                assertThat(pinned.metrics().heldSeconds("kind", "enter")).isGreaterThan(0.01);
                assertThat(pinned.metrics().pins("kind", "park")).isZero();
                // the others are shorter than what is attributed
                assertThat(pinned.metrics().shareOfAttributed("enter", method)).isGreaterThan(0.2);
                // a ConcurrentHashMap has monitors, too, in which it adds a key
                assertThat(fixed.metrics().pins("kind", "park")).isZero();
                assertThat(
                                fixed.metrics()
                                        .all("vthread_pinned_site_seconds_count", "kind", "enter"))
                        .extracting(sample -> sample.label("site"))
                        .allMatch(
                                site ->
                                        site.equals("(unattributed)")
                                                || site.startsWith(
                                                        "java.util.concurrent.ConcurrentHashMap."));
            } else {
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
                assertThat(fixed.metrics().pins("reason", "monitor")).isZero();
            }
        }
    }

    @Test
    void aMonitorOfItsOwnForEachTaskLetsThroughNoMoreThanOneForEachCarrierWhereMonitorsPin()
            throws IOException {
        String site =
                DEMO
                        + "monitors.MonitorsDemo.inMonitor:"
                        + DemoRun.lineOf("monitors/MonitorsDemo.java", "// up to JDK 23 this");
        try (DemoRun pinned = run("monitors", "synchronized-own", 300, 10);
                DemoRun locked = run("monitors", "lock-own", 300, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(pinned.figure("at a time")).isLessThan(CARRIERS + 0.5);
                assertThat(pinned.metrics().shareOfAttributed("park", site)).isGreaterThan(0.99);
            } else {
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
            }
            assertThat(locked.metrics().pins("reason", "monitor")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronized-shared", "lock-shared"})
    void oneLockForAllLetsThroughOneAtATimeWhateverItIs(String variant) {
        try (DemoRun run = run("monitors", variant, 50, 10)) {
            assertThat(run.figure("at a time")).isPositive().isLessThanOrEqualTo(1);
        }
    }

    @Test
    void forASleepInAMonitorParallelismCountsAndMaxPoolSizeDoesNot() {
        try (DemoRun two = run("carriers", "sleep-2-256", 200, 10);
                DemoRun eight = run("carriers", "sleep-8-256", 200, 10);
                DemoRun eightOfMore = run("carriers", "sleep-8-512", 200, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(two.figure(TASKS_PER_SECOND))
                        .isLessThan(DemoRun.mostTasksPerSecond(2, 10));
                assertThat(eight.figure(TASKS_PER_SECOND))
                        .isLessThan(DemoRun.mostTasksPerSecond(8, 10));
                assertThat(eightOfMore.figure(TASKS_PER_SECOND))
                        .isLessThan(DemoRun.mostTasksPerSecond(8, 10));
            }
            assertThat(eightOfMore.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
        }
    }

    @Test
    void forAWaitMaxPoolSizeCountsWhereMonitorsPinAndReachingItIsNoEvent() {
        try (DemoRun eight = run("carriers", "wait-8-8", 400, 10);
                DemoRun sixtyFour = run("carriers", "wait-8-64", 400, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(eight.figure(TASKS_PER_SECOND))
                        .isLessThan(DemoRun.mostTasksPerSecond(8, 10));
                assertThat(sixtyFour.figure("carriers")).isGreaterThan(CARRIERS);
            }
            assertThat(eight.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
            assertThat(eight.figure("jdk.VirtualThreadSubmitFailed")).isZero();
        }
    }

    @Test
    void nativeFramesAndClassInitializersPinOnEveryJdk() throws IOException {
        String initializer =
                DEMO
                        + "nativeframes.NativeDemo$SleepsWhenInitialized.<clinit>:"
                        + DemoRun.lineOf(
                                "nativeframes/NativeDemo.java", "// in a class initializer");
        try (DemoRun nativeFrame = run("native", "native-frame", 160, 10);
                DemoRun inInitializer = run("native", "class-initializer", 160, 10);
                DemoRun inMonitor = run("native", "monitor", 160, 10);
                DemoRun nothing = run("native", "nothing", 160, 10)) {
            assertThat(nativeFrame.figure(TASKS_PER_SECOND))
                    .isLessThan(DemoRun.mostTasksPerSecond(CARRIERS, 10));
            assertThat(inInitializer.figure(TASKS_PER_SECOND))
                    .isLessThan(DemoRun.mostTasksPerSecond(CARRIERS, 10));
            assertThat(nativeFrame.metrics().pins("reason", "native")).isGreaterThanOrEqualTo(160);
            assertThat(inInitializer.metrics().shareOfAttributed("park", initializer))
                    .isGreaterThan(0.99);
            assertThat(inMonitor.metrics().pins("reason", "monitor") > 0)
                    .isEqualTo(jdk.monitorsPin());
            for (String kind : List.of("park", "wait", "enter", "class_init")) {
                assertThat(nothing.metrics().pins("kind", kind)).isZero();
            }
        }
    }

    @Test
    void aReadOfAFileHoldsACarrierOnEveryJdkAndIsCompensatedOnlyByJdk21() throws IOException {
        // the application's line that calls the JDK, or the JDK's native method
        String site =
                jdk.monitorsPin()
                        ? DEMO
                                + "fileio.Pipes$OfFiles.read:"
                                + DemoRun.lineOf(
                                        "fileio/Pipes.java", "// holds a carrier on every JDK")
                        : "java.io.RandomAccessFile.read0:?";
        try (DemoRun file = run("file-io", "file", 640, 10);
                DemoRun channel = run("file-io", "channel", 640, 10)) {
            String kind = jdk.monitorsPin() ? "io" : "native";
            assertThat(file.metrics().heldSeconds("kind", kind))
                    .isGreaterThan(channel.metrics().heldSeconds("kind", kind) + 1);
            assertThat(channel.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
            if (jdk.monitorsPin()) {
                assertThat(file.figure("carriers")).isGreaterThan(2.0 * CARRIERS);
            } else {
                assertThat(file.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
                assertThat(file.figure(TASKS_PER_SECOND))
                        .isLessThan(DemoRun.mostTasksPerSecond(CARRIERS, 10));
            }
            assertThat(file.metrics().sites(kind).keySet()).contains(site);
        }
    }

    private DemoRun run(String demoCase, String variant, int tasks, int latencyMillis) {
        return DemoRun.of(jdk, demoCase, variant, tasks, latencyMillis);
    }
}
