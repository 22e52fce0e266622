package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.reference.SettledFigure;
import io.vtagent.it.workload.DeflatedMonitors;
import io.vtagent.it.workload.EntriesWithoutWait;
import io.vtagent.it.workload.OwnMonitors;
import io.vtagent.it.workload.RacedMonitor;
import io.vtagent.it.workload.SharedMonitor;
import io.vtagent.it.workload.TimedWaits;
import io.vtagent.it.workload.WaitingPool;
import io.vtagent.it.workload.WaitsWithoutMonitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JDKs on which monitors pin: every way in which one holds a carrier is counted, timed and
 * attributed.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class MonitorsPinIT {
    private static final int CARRIERS = 8;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void everySleepInAMonitorIsOneParkThatIsTimedAndAttributedToItsLine() {
        int tasks = 1_000;
        int millis = 10;
        try (ForkedJvm jvm = on(jdk).main(OwnMonitors.class, tasks, millis).awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            // the JVM's own timer wakes a few of them early: to sleep on, they park again
            assertThat(jvm.number("recorded")).isBetween(1.0 * tasks, 1.01 * tasks);
            assertThat(metrics.pins("kind", "park", "reason", "monitor"))
                    .isEqualTo((long) jvm.number("recorded"));
            assertThat(metrics.pins("kind", "park")).isEqualTo((long) jvm.number("recorded"));
            // the tasks have slept for no less, and by their own clocks have waited for a CPU
            assertThat(metrics.heldSeconds("kind", "park"))
                    .isBetween(0.95 * tasks * millis / 1_000, jvm.number("seconds"));
            // how many stacks are read is a matter of time, of which a busy machine takes more
            assertThat(metrics.shareOfAttributed("park", jvm.fact("site"))).isGreaterThan(0.99);
            assertThat(metrics.sites("park").get(jvm.fact("site")))
                    .isBetween(tasks / 2L, metrics.pins());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"owned", "free"})
    void aThreadThatNeedNotWaitForAMonitorIsNeverHeldByItHoweverLongItWaitsForACpu(
            String monitors) {
        assertThat(entriesWithoutWait(on(jdk), monitors)).isZero();
    }

    /** Without that count, the duration of each entry would decide. */
    @ParameterizedTest
    @ValueSource(strings = {"owned", "free"})
    void norWhereTheJvmDoesNotCountContendedEntries(String monitors) {
        assertThat(entriesWithoutWait(on(jdk).vm("-XX:-UsePerfData"), monitors)).isZero();
    }

    /**
     * The sensor misses such an entry, and samples find it. So an event of the JVM for it must not
     * be discarded as one of the sensor's.
     */
    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void aThreadThatFindsAMonitorFreeAndLosesItCountsAllTheSame(String vmEvents) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .agent("port=0,report=off,vm-events=" + vmEvents)
                        .main(RacedMonitor.class, 150, 20)
                        .awaitLine("ready")
                        .awaitSensor("enter")) {
            if (vmEvents.equals("on")) {
                jvm.awaitSensor("vm");
            }
            jvm.proceed();
            jvm.awaitDone();

            // up to a third of the waits are sampled, which is an estimate
            long heldNanos =
                    SettledFigure.value(
                            () -> (long) (1e9 * jvm.metrics().heldSeconds("kind", "enter")));
            assertThat(heldNanos / 1e9 / jvm.number("waited")).isBetween(0.88, 1.12);
        }
    }

    /** The agent reads a part of an inflated monitor that the JVM frees when it has deflated it. */
    @Test
    void monitorsThatTheJvmDeflatesAllTheTimeAreReportedAndDoNoHarm() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm(
                                "-XX:+UnlockDiagnosticVMOptions",
                                "-XX:AsyncDeflationInterval=1",
                                "-XX:MonitorUsedDeflationThreshold=1",
                                "-XX:AvgMonitorsPerThreadEstimate=1")
                        .agent("port=0,report=off,log=debug")
                        .main(DeflatedMonitors.class, 3_000)
                        .awaitLine("ready")
                        .awaitSensor("enter")) {
            jvm.proceed();
            jvm.awaitDone();

            assertThat(jvm.stderr())
                    .isNotEmpty()
                    .noneMatch(
                            line ->
                                    line.contains(
                                            "free monitors that were contended before"
                                                    + " are not recognized"));
            assertThat(deflations(jvm)).isGreaterThan(10_000);
        }
    }

    /**
     * It is not reported either where the JVM only interprets, or where no samples would show a
     * thread that loses a free monitor.
     */
    @ParameterizedTest
    @CsvSource({"-Xint, sample-interval=20ms", "-Xmixed, sample-interval=off"})
    void whereItCouldDoHarmWhichMonitorsAreFreeIsNotReported(String mode, String sample) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm(mode)
                        .agent("port=0,report=off,log=debug," + sample)
                        .main(DeflatedMonitors.class, 1)
                        .awaitLine("ready")
                        .awaitSensor("enter")) {
            assertThat(jvm.stderr())
                    .anyMatch(
                            line ->
                                    line.contains(
                                            "free monitors that were"
                                                    + " contended before are not recognized"));
        }
    }

    private static long deflations(ForkedJvm jvm) {
        return Jcmd.run(jvm, "PerfCounter.print")
                .lines()
                .filter(line -> line.startsWith("sun.rt._sync_Deflations="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
                .sum();
    }

    /** Returns how many of them are counted. */
    private static long entriesWithoutWait(ForkedJvm.Launch launch, String monitors) {
        try (ForkedJvm jvm =
                launch.main(EntriesWithoutWait.class, monitors, 1_500, 4)
                        .awaitLine("ready")
                        .awaitSensor("enter")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            return jvm.awaitDone().metrics().since(before).pins("kind", "enter");
        }
    }

    @Test
    void theReportNamesTheFrameThatHoldsTheMonitorAndWhatBlocked() {
        try (ForkedJvm jvm = on(jdk).main(OwnMonitors.class, 8, 10).awaitLine("warm")) {
            jvm.proceed();
            jvm.awaitDone();
            Json site = jvm.endpoint().report().get("sites").list().get(0);

            assertThat(site.get("site").string()).isEqualTo(jvm.fact("site"));
            assertThat(site.get("kind").string()).isEqualTo("park");
            assertThat(site.get("operation").string()).isEqualTo("java.lang.Thread.sleep");
            assertThat(site.get("monitor").string()).isEqualTo(jvm.fact("monitor"));
            assertThat(site.get("cause").string()).isEqualTo("monitor");
            String holder =
                    site.get("stack").list().get((int) site.get("holderIndex").number()).string();
            String line = jvm.fact("site").substring(jvm.fact("site").indexOf(':'));
            assertThat(holder)
                    .endsWith(
                            OwnMonitors.class.getName() + ".sleepIn(OwnMonitors.java" + line + ")");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "block, -Xverify:all",
        "method, -Xverify:all",
        "static, -Xverify:all",
        // where it does not count contended entries
        "block, -XX:-UsePerfData"
    })
    void parkAndEnterOfOneSharedMonitorLastAsLongAsItsThreadsTimeThem(String shape, String flag) {
        try (ForkedJvm jvm =
                on(jdk).vm(flag).main(SharedMonitor.class, shape, 150, 20).awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics().since(before);

            // the time of the threads includes the agent's time and, on a busy machine, waits for a
            // CPU in between
            assertThat(metrics.heldSeconds("kind", "park") / jvm.number("slept"))
                    .isBetween(0.8, 1.0);
            // but monitors of the JDK's can be contended as well meanwhile
            assertThat(metrics.heldSeconds("kind", "enter") / jvm.number("entered"))
                    .isBetween(0.8, 1.02);
            String site = jvm.fact("site");
            String method = site.substring(0, site.indexOf(':'));
            assertThat(metrics.shareOfAttributed("park", site)).isGreaterThan(0.99);
            assertThat(metrics.shareOfAttributed("enter", method)).isGreaterThan(0.99);
        }
    }

    @Test
    void everyWaitOfAPoolIsCountedWhereTheJvmItselfRecordsNone() {
        try (ForkedJvm jvm = on(jdk).main(WaitingPool.class, 60, 20, 60).awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.pins("kind", "wait")).isEqualTo((long) jvm.number("waits"));
            assertThat(metrics.pins("kind", "wait", "compensated", "true")).isPositive();
            assertThat(jvm.number("recordedInWait")).isZero();
            assertThat(metrics.pins("kind", "park"))
                    .isEqualTo((long) jvm.number("recordedInSleep"))
                    .isPositive();
        }
    }

    @Test
    void aWaitWithoutTheMonitorIsNoPin() {
        try (ForkedJvm jvm = on(jdk).main(WaitsWithoutMonitor.class, 20).awaitDone()) {
            assertThat(jvm.number("refused")).isEqualTo(20);
            assertThat(jvm.metrics().pins("kind", "wait")).isZero();

            jvm.proceed(); // and one that has it, for comparison
            assertThat(jvm.awaitLine("waited").metrics().pins("kind", "wait")).isEqualTo(1);
        }
    }

    @Test
    void aWaitIsNotCompensatedWhereTheSchedulerMayNotAddCarriers() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(1)
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=1", "-Xverify:all")
                        .agent()
                        .main(TimedWaits.class, 10, 20)
                        .awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.pins("kind", "wait", "reason", "monitor", "compensated", "false"))
                    .isEqualTo(10);
            assertThat(metrics.pins("kind", "wait")).isEqualTo(10);
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk).carriers(CARRIERS).agent();
    }
}
