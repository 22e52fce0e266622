package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cases of the demo come out as they say, in small: their variants order as they should, with a margin for a machine that
 * does other things too, and the site is the line that the article marks.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoCasesIT {
    private static final String TASKS_PER_SECOND = "tasks/s";
    private static final String DEMO = "io.vtagent.demo.";
    private static final int CARRIERS = 8;

    @Parameter
    Jdk jdk = Jdks.jdk21();

    @Test
    void aSynchronizedRefreshHoldsCarriersWhereMonitorsPin() throws IOException {
        String site = DEMO + "HttpRefreshDemo$SynchronizedClient.token:"
                + DemoRun.lineOf("HttpRefreshDemo.java", "// up to JDK 23 this holds a carrier");
        try (DemoRun pinned = run("http-refresh", "pinned", 400, 50);
                DemoRun fixed = run("http-refresh", "fixed", 400, 50)) {
            if (jdk.monitorsPin()) {
                assertThat(ratio(fixed, pinned)).isGreaterThan(1.3);
                assertThat(pinned.metrics().shareOfAttributed("park", site)).isGreaterThan(0.9);
            } else {
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
            }
            assertThat(fixed.metrics().pins("reason", "monitor")).isZero();
        }
    }

    @Test
    void aSynchronizedMapOfCountersHoldsCarriersOnlyOfThoseThatWaitToEnter() {
        String method = DEMO + "MetricsMapDemo$SynchronizedMetrics.record";
        try (DemoRun pinned = run("metrics-map", "pinned", 2_000, 1);
                DemoRun fixed = run("metrics-map", "fixed", 2_000, 1)) {
            if (jdk.monitorsPin()) {
                assertThat(pinned.metrics().heldSeconds("kind", "enter")).isGreaterThan(0.01);
                assertThat(pinned.metrics().pins("kind", "park")).isZero();
                // the others are shorter than what is attributed
                assertThat(pinned.metrics().shareOfAttributed("enter", method)).isGreaterThan(0.2);
            } else {
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
            }
            assertThat(fixed.metrics().pins("reason", "monitor")).isZero();
        }
    }

    @Test
    void aMonitorOfItsOwnForEachTaskLetsThroughOneForEachCarrierWhereMonitorsPin() throws IOException {
        String site = DEMO + "MonitorsDemo.inMonitor:" + DemoRun.lineOf("MonitorsDemo.java", "// up to JDK 23 this");
        try (DemoRun pinned = run("monitors", "synchronized-own", 300, 10);
                DemoRun locked = run("monitors", "lock-own", 300, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(pinned.figure("at a time")).isBetween(CARRIERS / 2.0, CARRIERS + 0.5);
                assertThat(ratio(locked, pinned)).isGreaterThan(4);
                assertThat(pinned.metrics().shareOfAttributed("park", site)).isGreaterThan(0.99);
            } else {
                assertThat(ratio(locked, pinned)).isBetween(0.2, 5.0);
                assertThat(pinned.metrics().pins("reason", "monitor")).isZero();
            }
            assertThat(locked.metrics().pins("reason", "monitor")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronized-shared", "lock-shared"})
    void oneLockForAllLetsThroughOneAtATimeWhateverItIs(String variant) {
        try (DemoRun run = run("monitors", variant, 50, 10)) {
            assertThat(run.figure("at a time")).isBetween(0.3, 1.0);
        }
    }

    @Test
    void virtualThreadsSwitchFasterThanPlatformThreads() {
        try (DemoRun mounts = run("mount", "virtual", 200_000, 1);
                DemoRun switches = run("mount", "platform-many", 200_000, 1)) {
            assertThat(switches.figure("ns a switch") / mounts.figure("ns a switch"))
                    .isGreaterThan(1.5);
        }
    }

    @Test
    void aDeepStackIsNotCopiedAtEachMount() {
        try (DemoRun flat = run("mount", "virtual", 200_000, 1);
                DemoRun deep = run("mount", "virtual-deep", 200_000, 1)) {
            assertThat(deep.figure("ns a switch") / flat.figure("ns a switch"))
                    .isLessThan(5); // a thousand frames are some 100 KiB
        }
    }

    @Test
    void aSleeperMayWakeUpOnAnotherCarrier() {
        try (DemoRun run = run("mount", "virtual-many", 20_000, 1)) {
            assertThat(run.figure("on another carrier after a sleep, %")).isPositive();
        }
    }

    @Test
    void forASleepInAMonitorParallelismCountsAndMaxPoolSizeDoesNot() {
        try (DemoRun two = run("carriers", "sleep-2-256", 200, 10);
                DemoRun eight = run("carriers", "sleep-8-256", 200, 10);
                DemoRun eightOfMore = run("carriers", "sleep-8-512", 200, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(ratio(eight, two)).isGreaterThan(2);
                assertThat(ratio(eightOfMore, eight)).isBetween(0.5, 2.0);
            }
            assertThat(eightOfMore.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
        }
    }

    @Test
    void forAWaitMaxPoolSizeCountsWhereMonitorsPinAndReachingItIsNoEvent() {
        try (DemoRun eight = run("carriers", "wait-8-8", 400, 10);
                DemoRun sixtyFour = run("carriers", "wait-8-64", 400, 10)) {
            if (jdk.monitorsPin()) {
                assertThat(ratio(sixtyFour, eight)).isGreaterThan(1.5);
                assertThat(sixtyFour.figure("carriers")).isGreaterThan(CARRIERS);
            }
            assertThat(eight.figure("carriers")).isLessThanOrEqualTo(CARRIERS);
            assertThat(eight.figure("jdk.VirtualThreadSubmitFailed")).isZero();
        }
    }

    @Test
    void nativeFramesAndClassInitializersPinOnEveryJdk() throws IOException {
        String initializer = DEMO + "NativeDemo$SleepsWhenInitialized.<clinit>:"
                + DemoRun.lineOf("NativeDemo.java", "// in a class initializer");
        try (DemoRun nativeFrame = run("native", "native-frame", 160, 10);
                DemoRun inInitializer = run("native", "class-initializer", 160, 10);
                DemoRun inMonitor = run("native", "monitor", 160, 10);
                DemoRun nothing = run("native", "nothing", 160, 10)) {
            assertThat(ratio(nothing, nativeFrame)).isGreaterThan(2);
            assertThat(ratio(nothing, inInitializer)).isGreaterThan(2);
            assertThat(nativeFrame.metrics().pins("reason", "native")).isGreaterThanOrEqualTo(160);
            assertThat(inInitializer.metrics().shareOfAttributed("park", initializer))
                    .isGreaterThan(0.99);
            assertThat(inMonitor.metrics().pins("reason", "monitor") > 0).isEqualTo(jdk.monitorsPin());
            for (String kind : List.of("park", "wait", "enter", "class_init")) {
                assertThat(nothing.metrics().pins("kind", kind)).isZero();
            }
        }
    }

    @Test
    void noMoreCarriersThanThereAreServeManyConnections() {
        try (DemoRun run = run("echo", "1000", 300, 1)) {
            assertThat(run.figure("connections")).isEqualTo(300);
            assertThat(run.figure("carriers")).isBetween(1.0, (double) CARRIERS);
            assertThat(run.result().notes()).isEmpty();
        }
    }

    @Test
    void aProcessWithFewDescriptorsIsToldSoAndConnectsAsManyAsItCan(@TempDir Path home) throws IOException {
        Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nulimit -n 1000\nexec '" + jdk.home().resolve("bin/java") + "' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (DemoRun run = DemoRun.of(home, "echo", "1000", 2_000, 1)) {
            assertThat(run.figure("connections")).isBetween(500.0, 1_000.0);
            assertThat(run.result().notes()).anyMatch(note -> note.contains("there are 1,000 here (ulimit -n)"));
        }
    }

    @Test
    void virtualThreadsDoMoreTasksThanAPoolHasThreadsFor() {
        try (DemoRun virtual = run("executors", "virtual", 1_000, 200);
                DemoRun twoHundred = run("executors", "pool-200", 1_000, 200);
                DemoRun pooled = run("executors", "virtual-pool-200", 1_000, 200)) {
            assertThat(ratio(virtual, twoHundred)).isGreaterThan(1.5);
            assertThat(ratio(virtual, pooled)).isGreaterThan(1.5);
        }
    }

    @Test
    void aVirtualThreadThatWaitsTakesLessMemoryThanAPlatformThreadWhichTakesLessThanItReserves() {
        String kibibytes = "KiB a thread";
        String reserved = "reserved for its stack, KiB";
        try (DemoRun virtual = run("many-threads", "virtual", 20_000, 1);
                DemoRun platform = run("many-threads", "platform", 500, 1)) {
            assertThat(virtual.figure("threads")).isEqualTo(20_000);
            assertThat(platform.figure("threads")).isEqualTo(500);
            assertThat(platform.figure(kibibytes) / virtual.figure(kibibytes)).isGreaterThan(3);
            assertThat(platform.figure(reserved) / platform.figure(kibibytes)).isGreaterThan(3);
            // the JVM may start threads of its own meanwhile
            assertThat(virtual.figure(reserved)).isLessThan(20);
        }
    }

    @Test
    void threadsThatComputeOnEveryCarrierAreInTheWayOfOthers() {
        try (DemoRun virtual = run("compute", "virtual", 40, 50);
                DemoRun yielding = run("compute", "virtual-yielding", 40, 50);
                DemoRun moreCarriers = run("compute", "virtual-more-carriers", 40, 50);
                DemoRun platform = run("compute", "platform", 40, 50)) {
            for (DemoRun mended : List.of(moreCarriers, platform)) {
                assertThat(virtual.figure("ms late") / mended.figure("ms late")).isGreaterThan(1.5);
                assertThat(ratio(mended, virtual)).isBetween(0.4, 2.5);
            }
            // how much that helps is up to the scheduler: on JDK 21 not always
            assertThat(ratio(yielding, virtual)).isBetween(0.4, 2.5);
            if (!jdk.monitorsPin()) {
                assertThat(virtual.figure("ms late") / yielding.figure("ms late"))
                        .isGreaterThan(1.2);
            }
            double carrierSeconds = CARRIERS * 40 / virtual.figure(TASKS_PER_SECOND);
            assertThat(virtual.metrics().heldSeconds("kind", "native") / carrierSeconds)
                    .isLessThan(0.2);
            for (String kind : List.of("park", "wait", "enter", "class_init", "io")) {
                assertThat(virtual.metrics().pins("kind", kind)).isZero();
            }
        }
    }

    @Test
    void aReadOfAFileHoldsACarrierOnEveryJdkAndIsMadeUpForOnlyByJdk21() throws IOException {
        // the application's line that calls the JDK, or the JDK's native method
        String site = jdk.monitorsPin()
                ? DEMO + "Pipes$OfFiles.read:" + DemoRun.lineOf("Pipes.java", "// holds a carrier on every JDK")
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
                assertThat(ratio(channel, file)).isGreaterThan(2);
            }
            assertThat(file.metrics().sites(kind).keySet()).contains(site);
        }
    }

    @Test
    void aTomcatOnVirtualThreadsServesMoreThanItsPoolWouldAndOfTheOrderOfWebFlux() {
        try (DemoRun pool = run("web", "tomcat-200", 500, 200);
                DemoRun virtual = run("web", "tomcat-virtual", 500, 200);
                DemoRun webflux = run("web", "webflux", 500, 200)) {
            assertThat(requestsPerSecond(pool)).isBetween(250.0, 1_010.0);
            assertThat(requestsPerSecond(virtual) / requestsPerSecond(pool)).isGreaterThan(1.2);
            assertThat(requestsPerSecond(virtual) / requestsPerSecond(webflux)).isBetween(0.2, 8.0);
            assertThat(virtual.figure("mean ms")).isBetween(200.0, pool.figure("mean ms"));
            assertThat(virtual.result().notes()).isEmpty();
        }
    }

    @Test
    void flightRecorderMissesWhatTheAgentSeesOfTheSameRun() {
        try (DemoRun run = run("finding", "jfr", 3, 40)) {
            Metrics metrics = run.metrics();
            if (jdk.monitorsPin()) {
                assertThat(run.figure("sleeps of 40 ms in a monitor, %")).isGreaterThan(80);
                assertThat(run.figure("sleeps of 5 ms in a monitor, %")).isLessThan(50);
                assertThat(run.figure("waits to enter a monitor, %")).isZero();
                assertThat(run.figure("Object.wait, %")).isZero();
                assertThat(run.figure("a sleep that has not ended, %")).isZero();
                assertThat(metrics.heldSeconds("kind", "enter")).isPositive();
                assertThat(metrics.heldSeconds("kind", "wait")).isPositive();
                assertThat(metrics.active("park")).isEqualTo(1);
            } else {
                // and the other way round
                assertThat(run.figure("waits for that initializer, %")).isGreaterThan(80);
                assertThat(metrics.pins("reason", "class_init")).isEqualTo(1);
            }
        }
    }

    @Test
    void theAgentFindsEverySortOfPin() throws IOException {
        String workload = DEMO + "PinnedWorkload";
        try (DemoRun run = run("finding", "vt-agent", 3, 40)) {
            Metrics metrics = run.metrics();

            assertThat(secondsAt(metrics, "park", workload + "$SleepsWhenInitialized.<clinit>:")
                            / run.figure("sleep in a class initializer"))
                    .isBetween(0.8, 1.1);
            if (jdk.monitorsPin()) {
                assertThat(metrics.heldSeconds("kind", "wait") / run.figure("Object.wait"))
                        .isBetween(0.8, 1.1);
                assertThat(secondsAt(metrics, "enter", workload + ".enters:") / run.figure("waits to enter a monitor"))
                        .isBetween(0.5, 1.1);
                assertThat(metrics.sites("park").keySet())
                        .contains(workload + ".sleepsLong:"
                                + DemoRun.lineOf("PinnedWorkload.java", "time(Sort.LONG_SLEEP"));
            }
        }
    }

    private static double secondsAt(Metrics metrics, String kind, String site) {
        return metrics.all("vthread_pinned_site_seconds_sum", "kind", kind)
                .filter(sample -> sample.label("site").startsWith(site))
                .mapToDouble(Metrics.Sample::value)
                .sum();
    }

    @Test
    void asyncProfilerSeesWhatIsOnACarrier() {
        try (DemoRun run = run("finding", "async-profiler", 3, 40)) {
            assertThat(run.figure("sleep in a class initializer, %")).isBetween(50.0, 150.0);
        }
    }

    @Test
    void micrometerCountsTheLongPinsOnly() {
        try (DemoRun run = run("finding", "micrometer", 3, 40)) {
            if (jdk.monitorsPin()) {
                assertThat(run.figure("found, %")).isBetween(5.0, 60.0);
            } else {
                assertThat(run.figure("found, %")).isPositive();
            }
        }
    }

    @Test
    void tracedStacksHaveNoDurationsAndAreGoneWhereMonitorsDoNotPin() {
        try (DemoRun run = run("finding", "trace-pinned-threads", 3, 40)) {
            assertThat(run.figure("found, %")).isZero();
            assertThat(run.result().notes())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith(jdk.monitorsPin() ? "It printed 4 stacks, each once" : "It printed nothing.");
        }
    }

    @Test
    void aSemaphoreKeepsAServiceFromRefusing() {
        try (DemoRun with = run("semaphore", "with", 100, 20);
                DemoRun without = run("semaphore", "without", 100, 20)) {
            assertThat(with.figure("answered, %")).isEqualTo(100);
            assertThat(with.figure("most at a time")).isLessThanOrEqualTo(10);
            assertThat(without.figure("answered, %")).isLessThan(90);
            assertThat(without.figure("most at a time")).isGreaterThan(10);
        }
    }

    @Test
    void aThreadLocalIsMadeOnceForEachVirtualThread() {
        try (DemoRun threadLocal = run("thread-locals", "thread-local", 5_000, 1);
                DemoRun shared = run("thread-locals", "shared", 5_000, 1)) {
            assertThat(threadLocal.figure("instances")).isEqualTo(5_000);
            assertThat(shared.figure("instances")).isEqualTo(1);
            assertThat(threadLocal.figure("bytes a thread")).isGreaterThan(1.1 * shared.figure("bytes a thread"));
        }
    }

    @Test
    void blockingCodeDoesAsWellAsAChainAndItsTraceSaysMore() {
        try (DemoRun blocking = run("blocking-style", "blocking", 400, 10);
                DemoRun chain = run("blocking-style", "chain", 400, 10);
                DemoRun chainOnVirtual = run("blocking-style", "chain-on-virtual", 400, 10);
                DemoRun onPlatform = run("blocking-style", "blocking-on-platform", 200, 10)) {
            String frames = "own frames in the trace of a failure";

            assertThat(blocking.figure("pages/s") / chain.figure("pages/s")).isBetween(0.3, 4.0);
            assertThat(blocking.figure(frames)).isGreaterThan(chain.figure(frames));
            assertThat(chainOnVirtual.figure("pages/s") / chain.figure("pages/s"))
                    .isBetween(0.3, 4.0);
            // eight at a time, 20 ms each
            assertThat(onPlatform.figure("pages/s")).isBetween(40.0, 400.0);
        }
    }

    private static double ratio(DemoRun one, DemoRun other) {
        return one.figure(TASKS_PER_SECOND) / other.figure(TASKS_PER_SECOND);
    }

    private static double requestsPerSecond(DemoRun run) {
        return run.figure("requests/s");
    }

    private DemoRun run(String demoCase, String variant, int tasks, int latencyMillis) {
        return DemoRun.of(jdk, demoCase, variant, tasks, latencyMillis);
    }
}
