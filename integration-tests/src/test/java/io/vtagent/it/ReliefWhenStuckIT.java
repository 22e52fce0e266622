package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import brave.Tracing;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.Appender;
import com.sun.tools.attach.VirtualMachine;
import com.zaxxer.hikari.HikariDataSource;
import io.vtagent.it.workload.Deadlock;
import io.vtagent.it.workload.DeadlockAfterWaits;
import io.vtagent.it.workload.HookedClasses;
import io.vtagent.it.workload.LockAndMonitor;
import io.vtagent.it.workload.LoggingPools;
import io.vtagent.it.workload.Overload;
import io.vtagent.it.workload.RemoteClasses;
import io.vtagent.it.workload.Spans;
import io.vtagent.it.workload.SqlFunctions;
import io.vtagent.it.workload.StuckCarriers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.ILoggerFactory;
import org.sqlite.JDBC;
import zipkin2.reporter.BytesMessageSender;
import zipkin2.reporter.brave.AsyncZipkinSpanHandler;

/** Relief with {@code relief=stuck}: a stuck scheduler gets carriers, and any other gets none. */
final class ReliefWhenStuckIT {
    private static final int CARRIERS = 4;

    /**
     * A second until the diagnosis, and two from there on; 0.2 were the most of 20, 15 of them
     * beside two busy loops.
     */
    private static final double MAX_STUCK_SECONDS = 3;

    private static final String ADDED = "vthread_relief_carriers_total";
    private static final String ADDS =
            "relief=stuck adds carriers, one at a time, until something moves: ";

    private static final Path[] LIBRARIES =
            Stream.of(
                            Tracing.class,
                            AsyncZipkinSpanHandler.class,
                            BytesMessageSender.class,
                            HikariDataSource.class,
                            org.h2.Driver.class,
                            Logger.class,
                            Appender.class,
                            ILoggerFactory.class,
                            JDBC.class)
                    .map(ForkedJvm::locationOf)
                    .toArray(Path[]::new);

    @TempDir Path folder = Path.of("");

    /** The programs that get stuck, on each JDK on which they do, and what the cause must name. */
    static Stream<Arguments> deadlocks() {
        List<Arguments> deadlocks = new ArrayList<>();
        for (Jdk jdk : Jdks.whereMonitorsPin()) {
            deadlocks.add(Arguments.of(jdk, Spans.class, "was released to `first-in-queue`"));
            deadlocks.add(Arguments.of(jdk, LoggingPools.class, "is owned by `logging`"));
        }
        for (Jdk jdk : Jdks.all()) {
            deadlocks.add(Arguments.of(jdk, SqlFunctions.class, "NativeDB.step"));
        }
        for (Jdk jdk : Jdks.whereMonitorsDoNotPin()) {
            deadlocks.add(
                    Arguments.of(
                            jdk,
                            RemoteClasses.class,
                            " in the class loader `java.net.URLClassLoader`, which loads a class"
                                    + " for `"
                                    + RemoteClasses.class.getName()
                                    + ".load:"));
        }
        return deadlocks.stream();
    }

    @ParameterizedTest
    @MethodSource("deadlocks")
    void whatIsStuckIsSetFreeAndTheCauseIsReported(Jdk jdk, Class<?> workload, String cause) {
        try (ForkedJvm jvm = on(jdk, "relief=stuck").main(workload, CARRIERS)) {
            proceed(jvm);
            assertThat(jvm.awaitStderr(line -> line.contains("relief=stuck ")))
                    .contains(ADDS)
                    .contains(cause);
            jvm.awaitStderr(line -> line.contains("carriers are free again"));
            Metrics metrics = jvm.awaitDone().metrics();

            assertThat(metrics.value(ADDED)).isBetween(1.0, 8.0);
            assertThat(metrics.value("vthread_carriers_starved_seconds_count")).isPositive();
            assertThat(metrics.value("vthread_carriers_starved_seconds_sum"))
                    .isLessThan(MAX_STUCK_SECONDS);
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("relief=stuck would"));
        }
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("deadlocks")
    void withoutItTheSameStaysStuckAndTheDiagnosisNamesTheOption(
            Jdk jdk, Class<?> workload, String cause) {
        try (ForkedJvm jvm = on(jdk, "relief=off").main(workload, CARRIERS)) {
            proceed(jvm);
            assertThat(jvm.awaitStderr(line -> line.contains(" with work queued. ")))
                    .contains(cause);
            jvm.awaitStderr(
                    line ->
                            line.endsWith(
                                    " relief=stuck would add carriers, one at a time, until"
                                            + " something moves"));
            jvm.awaitMetrics(metrics -> metrics.value("vthread_carriers_starved_seconds_sum") > 3);

            assertThat(jvm.stdout()).doesNotContain("done");
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("carriers are free again"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void detachingReportsTheCarriersThatAreStillHeld(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "relief=stuck")
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(StuckCarriers.class, "monitor", CARRIERS)
                        .awaitLine("stuck")) {
            jvm.awaitStderr(line -> line.contains(ADDS));
            jvm.awaitMetrics(metrics -> metrics.value("vthread_scheduler_queued") == 0);
            Attaching.detach(jvm, 1);

            assertThat(jvm.awaitStderr(line -> line.contains("vt-agent was detached")))
                    .contains("; relief had compensated ")
                    .contains(
                            ", and no longer does: queued threads may have to wait until they are"
                                    + " free");
        }
    }

    /** Lets it begin, and go on when it has printed that it began. */
    private static void proceed(ForkedJvm jvm) {
        jvm.awaitLine("warm").proceed().proceed();
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void anOverloadIsLeftAlone(Jdk jdk) {
        String shape = jdk.monitorsPin() ? "monitor" : "native";
        try (ForkedJvm jvm =
                on(jdk, "relief=stuck").main(Overload.class, shape, CARRIERS * 20, 300)) {
            jvm.awaitLine("warm").proceed();
            jvm.awaitStderr(line -> line.contains("Overload, not a deadlock"));
            jvm.awaitStderr(line -> line.contains("carriers are free again"));
            Metrics metrics = jvm.awaitDone().metrics();

            assertThat(metrics.value(ADDED)).isZero();
            assertThat(metrics.value("vthread_carriers_size")).isEqualTo(CARRIERS);
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("relief=stuck"));
        }
    }

    @Test
    void carriersAreAddedUntilTheOneThatTheOthersWaitForHasOne() {
        int before = 60;
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=stuck").main(Deadlock.class, CARRIERS, before)) {
            proceed(jvm);
            assertThat(jvm.awaitDone().metrics().value(ADDED)).isGreaterThan(before);
            assertThat(jvm.stderr())
                    .filteredOn(line -> line.contains("relief=stuck "))
                    .as("it is said once, and again if something moved meanwhile")
                    .isNotEmpty()
                    .hasSizeLessThan(before / 10);
        }
    }

    @Test
    void aJvmThatIsStuckAlreadyIsSetFreeByTheAgentThatIsAttached() throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(CARRIERS)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(Deadlock.class, CARRIERS)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("released")
                        .proceed()) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
            try {
                machine.loadAgent(
                        ForkedJvm.agentJar().toString(),
                        "port=0,report=off,starvation-after=1s,relief=stuck");
            } finally {
                machine.detach();
            }
            jvm.awaitStderr(line -> line.contains(ADDS));
            assertThat(jvm.awaitDone().metrics().value(ADDED)).isBetween(1.0, (double) CARRIERS);
        }
    }

    @Test
    void besideADeadlockThatNoCarrierEndsWhatIsQueuedGoesOn() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=stuck").main(LockAndMonitor.class, CARRIERS - 2)) {
            proceed(jvm);
            jvm.awaitStderr(line -> line.contains(ADDS + "Deadlock: "));
            Metrics metrics =
                    jvm.awaitLine("queued")
                            .awaitMetrics(now -> now.sum("vthread_carriers_held") == CARRIERS);
            assertThat(metrics.value(ADDED)).isBetween(1.0, (double) CARRIERS);
        }
    }

    @Test
    void alsoWhereNothingSamples() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "sample-interval=off,relief=stuck")
                        .main(Deadlock.class, CARRIERS, 1)) {
            proceed(jvm);
            assertThat(jvm.awaitDone().metrics().value(ADDED)).isGreaterThan(1);
        }
    }

    @Test
    void carriersThatRestAreWokenSinceTheSchedulerWakesNone() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=stuck").main(DeadlockAfterWaits.class, CARRIERS)) {
            proceed(jvm);
            jvm.awaitStderr(line -> line.contains(ADDS));
            assertThat(jvm.awaitDone().metrics().value("vthread_carriers_size"))
                    .isGreaterThan(CARRIERS);
        }
    }

    @Test
    void withoutRoomThePropertyToRaiseIsReportedAtTheStartAndWithTheCause() {
        String property = "jdk.virtualThreadScheduler.maxPoolSize";
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=stuck")
                        .vm("-D" + property + "=" + CARRIERS)
                        .main(Deadlock.class, CARRIERS)) {
            jvm.awaitStderr(
                    line ->
                            line.endsWith(
                                    "relief=stuck can add no carrier, because "
                                            + property
                                            + " is 4, as many as there are: raise it"));
            proceed(jvm);
            assertThat(jvm.awaitStderr(line -> line.contains("the scheduler is still stuck, and ")))
                    .contains(
                            "relief=stuck has added 0 carriers, the scheduler is still stuck, and "
                                    + property
                                    + "=4 allows no more, raise it: `ReentrantLock@")
                    .endsWith(
                            "was released to `first-in-queue`, which has no carrier to run on. 4 of"
                                    + " 4 carriers are held by threads that wait for it behind a"
                                    + " monitor.");
            jvm.awaitMetrics(metrics -> metrics.value("vthread_carriers_starved_seconds_sum") > 3);
            assertThat(jvm.stdout()).doesNotContain("done");
            assertThat(jvm.metrics().value("vthread_carriers_size")).isEqualTo(CARRIERS);
        }
    }

    @Test
    void whereTheRoomDoesNotDoThePropertyToRaiseIsReportedThen() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), "relief=stuck")
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=7")
                        .main(Deadlock.class, CARRIERS, 10)) {
            proceed(jvm);
            // the JDK may have added one itself, for file I/O
            assertThat(jvm.awaitStderr(line -> line.contains("the scheduler is still stuck, and")))
                    .matches(
                            ".* relief=stuck has added [123] carriers?, the scheduler is still"
                                    + " stuck, and jdk\\.virtualThreadScheduler\\.maxPoolSize=7"
                                    + " allows no more, raise it: `ReentrantLock@.*");
            assertThat(jvm.metrics().value("vthread_carriers_size")).isEqualTo(7);
        }
    }

    /** Relief that is not there costs nothing. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theClassesOfTheJdkAreThoseOfReliefOff(Jdk jdk) throws IOException {
        assertThat(hookedClasses(jdk, "relief=stuck"))
                .isEqualTo(hookedClasses(jdk, "relief=off"))
                .isNotEqualTo(hookedClasses(jdk, "relief=on"));
    }

    private String hookedClasses(Jdk jdk, String relief) throws IOException {
        try (ForkedJvm jvm =
                on(jdk, relief)
                        .vm("-javaagent:" + RetransformationIT.secondAgentIn(folder))
                        .main(HookedClasses.class)) {
            return jvm.fact("hashes");
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk, String relief) {
        return ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .classPath(LIBRARIES)
                .agent("port=0,report=off,starvation-after=1s," + relief);
    }
}
