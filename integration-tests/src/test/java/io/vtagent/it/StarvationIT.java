package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.BlockedTasks;
import io.vtagent.it.workload.Bursts;
import io.vtagent.it.workload.BurstsBesideSelectors;
import io.vtagent.it.workload.Deadlock;
import io.vtagent.it.workload.EntangledInitializers;
import io.vtagent.it.workload.InitializerCycle;
import io.vtagent.it.workload.LockAndMonitor;
import io.vtagent.it.workload.NativeSocketReads;
import io.vtagent.it.workload.Overload;
import io.vtagent.it.workload.OwnedMonitor;
import io.vtagent.it.workload.QueuedThreads;
import io.vtagent.it.workload.TimedCycle;
import io.vtagent.it.workload.WaitForDispatcher;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starvation of carriers: the agent still answers, and reports the cause. */
final class StarvationIT {
    private static final int CARRIERS = 4;
    private static final String STARVED = "vthread_carriers_starved_seconds_sum";
    private static final Pattern VERDICT = Pattern.compile(".* with work queued\\. (.*)");

    @Test
    void theKnownDeadlockIsExplainedWhileTheJvmIsStuckWhereMonitorsPin() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), CARRIERS)
                        .main(Deadlock.class, CARRIERS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("released")
                        .proceed()) {
            String verdict = awaitVerdict(jvm);
            Matcher lock =
                    Pattern.compile(
                                    "`(ReentrantLock@[0-9a-f]+)` was released to `first-in-queue`,"
                                        + " which has no carrier to run on\\. 4 of 4 carriers are"
                                        + " held by threads that wait for it behind a monitor\\.")
                            .matcher(verdict);
            assertThat(verdict).matches(lock.pattern());
            lock.matches();

            Endpoint endpoint = jvm.endpoint();
            Metrics metrics = endpoint.metrics();
            assertThat(endpoint.get("/healthz", "*/*").body()).isEqualTo("ok\n");
            assertThat(metrics.active("park")).isEqualTo(CARRIERS);
            assertThat(metrics.value("vthread_carriers_held")).isEqualTo(CARRIERS);
            assertThat(metrics.value("vthread_scheduler_queued")).isEqualTo(1);
            assertThat(metrics.value("vthread_carriers_starved_seconds_count")).isEqualTo(1);
            Metrics later = endpoint.metrics();
            assertThat(later.value("vthread_pinned_active_longest_seconds"))
                    .isGreaterThan(metrics.value("vthread_pinned_active_longest_seconds"));
            jvm.awaitMetrics(
                    now ->
                            now.value("vthread_carriers_starved_seconds_sum")
                                    > 1 + metrics.value("vthread_carriers_starved_seconds_sum"));

            Json starved = endpoint.report().get("starved");
            assertThat(starved.get("now").isTrue()).isTrue();
            assertThat(starved.get("periods").number()).isEqualTo(1);
            Json diagnosis = starved.get("diagnosis");
            assertThat(diagnosis.get("verdict").string()).isEqualTo(verdict);
            assertThat(diagnosis.get("carriers").number()).isEqualTo(CARRIERS);
            assertThat(diagnosis.get("queued").number()).isEqualTo(1);
            assertThat(diagnosis.get("queuedThreads").list())
                    .singleElement()
                    .satisfies(
                            thread ->
                                    assertThat(thread.string()).startsWith("\"first-in-queue\" #"));
            Json found = diagnosis.get("locks").list().get(0);
            assertThat(found.get("name").string()).isEqualTo(lock.group(1));
            assertThat(found.get("owner").value()).isNull();
            assertThat(found.get("queue").list().stream().map(StarvationIT::withoutId))
                    .containsExactly(
                            "first-in-queue", "holder-0", "holder-1", "holder-2", "holder-3");
            List<Json> held = diagnosis.get("held").list();
            assertThat(held.stream().map(each -> withoutId(each.get("thread"))))
                    .containsExactlyInAnyOrder("holder-0", "holder-1", "holder-2", "holder-3");
            assertThat(held)
                    .allSatisfy(
                            each -> {
                                assertThat(each.get("waitsFor").string()).isEqualTo(lock.group(1));
                                assertThat(each.get("state").string()).startsWith("park for ");
                                assertThat(each.get("stack").list().stream().map(Json::string))
                                        .filteredOn(frame -> frame.contains("<=="))
                                        .singleElement()
                                        .satisfies(
                                                frame ->
                                                        assertThat(frame)
                                                                .startsWith(
                                                                        Deadlock.class.getName()
                                                                                + ".takeLockIn(")
                                                                .endsWith(
                                                                        "  <== monitor:"
                                                                            + " java.lang.Object"));
                            });

            assertThat(jvm.stderr()).filteredOn(line -> VERDICT.matcher(line).matches()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void theSameProgramJustEndsWhereMonitorsDoNotPin(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(Deadlock.class, CARRIERS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("released")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void readersOfSocketsBelowNativeFramesThatLeaveThePollerNoCarrierAreExplained(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, 8)
                        .main(NativeSocketReads.class, 16, 8)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("written")
                        .proceed()) {
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "8 of 8 carriers are held by threads that wait for a socket above a"
                                + " native frame or a class initializer\\. `SubPoller-\\d+`, the"
                                + " JDK's virtual thread that would wake them, has no carrier to"
                                + " run on\\.");
            assertThat(jvm.endpoint().get("/healthz", "*/*").body()).isEqualTo("ok\n");
            assertThat(jvm.metrics().value("vthread_carriers_held")).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void theSameReadersJustEndWhereThePollerIsNoVirtualThread(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, 8)
                        .main(NativeSocketReads.class, 16, 8)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("written")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    /**
     * Idle carriers that are about to be woken are free, though as many as there are may be held.
     */
    @Test
    void carriersForWhichTheSchedulerCompensatesStarveNobody() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(3)
                        .agent("port=0,report=off,sample-interval=1ms")
                        .main(BurstsBesideSelectors.class, 20, 12_000)
                        .awaitLine("selecting")) {
            jvm.awaitMetrics(now -> now.value("vthread_carriers_held") == 20);
            double before = jvm.metrics().value(STARVED);
            jvm.proceed().awaitDone();

            assertThat((jvm.metrics().value(STARVED) - before) / jvm.number("seconds"))
                    .as("a sample may still find the others held, by a pause of the JVM say")
                    .isLessThan(0.01);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatStoodStillAfterItHadMovedIsNoOverload(Jdk jdk) {
        String shape = jdk.monitorsPin() ? "monitor" : "native";
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(Overload.class, shape, CARRIERS * 3 + 1, 100, CARRIERS + 1, 20_000)
                        .awaitSensor("vm")
                        .proceed()) {
            assertThat(awaitVerdict(jvm))
                    .endsWith(
                            " None of them took up another thread in the second half of that"
                                    + " time.");
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void anOverloadIsDistinguishedFromADeadlockAndItsEndIsReported(Jdk jdk) {
        String shape = jdk.monitorsPin() ? "monitor" : "native";
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(Overload.class, shape, CARRIERS * 10, 300)
                        .awaitSensor("vm")
                        .proceed()) {
            String place =
                    jdk.monitorsPin()
                            ? ".*Overload\\.sleepIn:\\d+"
                            : ".*NativeAccessor\\.invoke0:\\S+";
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "All 4 carriers are held, (each|[23] of them) at `"
                                    + place
                                    + "` in java\\.lang\\.Thread\\.sleep, while \\d+ virtual"
                                    + " threads? waits? for one\\. Overload, not a deadlock: [234]"
                                    + " of them took up another thread in the second half of that"
                                    + " time\\.");
            String end = jvm.awaitStderr(line -> line.contains("carriers are free again"));
            jvm.awaitDone();
            Metrics metrics = jvm.metrics();
            double starved = metrics.value("vthread_carriers_starved_seconds_sum");

            assertThat(metrics.value("vthread_carriers_starved_seconds_count")).isEqualTo(1);
            // the last round has no waiting threads
            assertThat(starved / (jvm.number("seconds") - 0.3)).isBetween(0.75, 1.05);
            Matcher seconds = Pattern.compile(".* they were all held for ([0-9.]+) s").matcher(end);
            assertThat(end).matches(seconds.pattern());
            seconds.matches();
            // which does not have what the meter counts of the time before the first sample, 300 ms
            // at most
            assertThat(starved - Double.parseDouble(seconds.group(1))).isBetween(-0.06, 0.36);
            Json report = jvm.endpoint().report().get("starved");
            assertThat(report.get("now").isTrue()).isFalse();
            assertThat(report.get("diagnosis").get("verdict").string()).contains("Overload");
        }
    }

    @Test
    void aThreadThatWaitsForAMonitorIsReportedWithItsOwner() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), CARRIERS)
                        .main(OwnedMonitor.class, CARRIERS - 1)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("held")) {
            awaitVerdict(jvm);
            String monitor = "OwnedMonitor$Monitor@" + jvm.fact("monitor");
            Stream<Json> waiting =
                    jvm
                            .endpoint()
                            .report()
                            .get("starved")
                            .get("diagnosis")
                            .get("held")
                            .list()
                            .stream()
                            .filter(each -> withoutId(each.get("thread")).startsWith("waiter-"));

            assertThat(waiting)
                    .hasSize(CARRIERS - 1)
                    .allSatisfy(
                            each -> {
                                assertThat(each.get("state").string()).startsWith("enter for ");
                                assertThat(each.get("waitsFor").string()).isEqualTo(monitor);
                                assertThat(each.get("owner").string()).isEqualTo(jvm.fact("owner"));
                            });
            jvm.awaitStderr(
                    line ->
                            line.contains(
                                    "waits for "
                                            + monitor
                                            + ", which "
                                            + jvm.fact("owner")
                                            + " has"));
            jvm.proceed().awaitDone();
            jvm.awaitStderr(line -> line.contains("carriers are free again"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aLockAndAMonitorThatWaitForEachOtherAreADeadlockAndTheCircleIsReported(String hasLock) {
        Object[] arguments =
                hasLock.equals("virtual") ? new Object[] {2} : new Object[] {3, "platform"};
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), CARRIERS)
                        .main(LockAndMonitor.class, arguments)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            String monitor = "Object@" + jvm.fact("monitor");
            // nothing shows which object a platform thread waits to enter
            String entered = hasLock.equals("virtual") ? monitor : "monitor 0x[0-9a-f]+";
            String first = "`has-lock` waits for `" + entered + "`, which `has-monitor` has";
            String second =
                    "`has-monitor` waits for `ReentrantLock@[0-9a-f]+`, which `has-lock` has";
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "Deadlock: ("
                                    + first
                                    + "\\. "
                                    + second
                                    + "|"
                                    + second
                                    + "\\. "
                                    + first
                                    + ")\\. 4 of 4 carriers are held by these threads and by"
                                    + " threads that wait for them\\.");
            jvm.awaitStderr(
                    line ->
                            line.matches(
                                    "  \"has-lock\" #\\d+ has ReentrantLock@[0-9a-f]+, and waits"
                                            + " for "
                                            + entered
                                            + ", at .*"));
            Json diagnosis = jvm.endpoint().report().get("starved").get("diagnosis");
            assertThat(diagnosis.get("remedy").value()).isNull();
            assertThat(diagnosis.get("deadlock").list())
                    .hasSize(2)
                    .anySatisfy(
                            link -> {
                                assertThat(withoutId(link.get("thread"))).isEqualTo("has-monitor");
                                assertThat(link.get("has").string()).matches(entered);
                                assertThat(link.get("waitsFor").string())
                                        .startsWith("ReentrantLock@");
                            });
        }
    }

    @Test
    void aCircleThatATimeLimitEndsIsNoDeadlock() {
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), CARRIERS)
                        .main(LockAndMonitor.class, 2, "timed")
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .startsWith("All 4 carriers are held")
                    .endsWith(" No deadlock: `has-monitor` waits with a time limit.");
        }
    }

    /**
     * Up to JDK 21 the state of a virtual thread without a carrier does not show that it waits with
     * a time limit.
     */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aTimeLimitOfAThreadWithoutACarrierEndsACircleToo(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, 1).main(TimedCycle.class).awaitSensor("vm").proceed().awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .matches(
                            ".* `holder` waits for `(ReentrantLock@[0-9a-f]+)`, which `unmounted`"
                                + " has\\. `unmounted` waits for `ReentrantLock@[0-9a-f]+`, which"
                                + " `holder` has\\. No deadlock: `unmounted` waits with a time"
                                + " limit\\.");
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void classInitializersThatNeedEachOtherAreReportedWithTheirThreads(Jdk jdk) {
        String name = EntangledInitializers.class.getName();
        // from JDK 26 on, others that wait for them unmount
        try (ForkedJvm jvm =
                on(jdk, 2)
                        .main(EntangledInitializers.class, "deadlock", 0)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .startsWith("Deadlock: `")
                    .contains(waiting("first", "Second", "second"))
                    .contains(waiting("second", "First", "first"))
                    .endsWith(
                            ". 2 of 2 carriers are held by these threads and by threads that wait"
                                    + " for them.")
                    .doesNotContain("elsewhere", "vt-agent");
            jvm.awaitStderr(
                    line ->
                            line.matches(
                                    "  \"first\" #\\d+ has the initializer of "
                                            + Pattern.quote(name)
                                            + "\\$First, and waits for the initializer of "
                                            + Pattern.quote(name)
                                            + "\\$Second, at .*"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aClassInitializerAndThatOfAPlatformThreadThatNeedEachOtherAreReportedToo(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, 1)
                        .main(EntangledInitializers.class, "platform", 0)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .startsWith("Deadlock: `")
                    .contains(waiting("first", "Second", "second"))
                    .contains(waiting("second", "First", "first"))
                    .endsWith(
                            ". 1 of 1 carriers are held by these threads and by threads that wait"
                                    + " for them.");
        }
    }

    private static String waiting(String thread, String awaited, String initializing) {
        return "`"
                + thread
                + "` waits for class `"
                + EntangledInitializers.class.getName()
                + "$"
                + awaited
                + "`, which `"
                + initializing
                + "` initializes. ";
    }

    static Stream<Arguments> cycles() {
        return whereWaitersForAnInitializerDoNotUnmount()
                .flatMap(
                        jdk ->
                                Stream.of("monitor", "lock", "platform")
                                        .map(kind -> Arguments.of(jdk, kind)));
    }

    /** That of two initializers is one of {@link EntangledInitializers}. */
    @ParameterizedTest
    @MethodSource("cycles")
    void anInitializerAndALockOrMonitorThatNeedEachOtherAreADeadlockForWhichReliefIsNotOffered(
            Jdk jdk, String kind) {
        int carriers = kind.equals("platform") ? 1 : 2;
        try (ForkedJvm jvm =
                on(jdk, carriers)
                        .main(InitializerCycle.class, kind)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            String type = kind.equals("lock") ? "NeedsLock" : "NeedsMonitor";
            String has =
                    kind.equals("lock")
                            ? "ReentrantLock@[0-9a-f]+"
                            : "(Object@|monitor 0x)[0-9a-f]+";
            String initializing = "`initializing` waits for `" + has + "`, which `owner` has\\. ";
            String owner =
                    "`owner` waits for class `"
                            + Pattern.quote(InitializerCycle.class.getName() + "$" + type)
                            + "`, which `initializing` initializes\\. ";
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "Deadlock: ("
                                    + initializing
                                    + owner
                                    + "|"
                                    + owner
                                    + initializing
                                    + ")"
                                    + carriers
                                    + " of "
                                    + carriers
                                    + " carriers are held by these threads and by threads that wait"
                                    + " for them\\.");
            jvm.awaitStderr(
                    line ->
                            line.matches(
                                    "  \"owner\" #\\d+ has "
                                            + has
                                            + ", and waits for the initializer of "
                                            + Pattern.quote(
                                                    InitializerCycle.class.getName() + "$" + type)
                                            + ", at .*"));
            assertThat(
                            jvm.endpoint()
                                    .report()
                                    .get("starved")
                                    .get("diagnosis")
                                    .get("remedy")
                                    .value())
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"next", "owner"})
    void theLockOfAPlatformThreadIsReportedWithTheThreadThatHasNoCarrierAndNoCauseIsInvented(
            String kind) {
        String result = kind.equals("next") ? "was released to" : "is owned by";
        try (ForkedJvm jvm =
                on(Jdks.jdk21(), 2)
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=2")
                        .main(WaitForDispatcher.class, kind, 2)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "All 2 carriers are held, each at"
                                    + " `.*WaitForDispatcher\\.await:\\d+` in"
                                    + " java\\.lang\\.Object\\.wait, while 1 virtual thread"
                                    + " waits for one\\. None of them took up another thread in"
                                    + " the second half of that time\\. The JVM does not record"
                                    + " which thread would wake them\\. `dispatcher` waits for"
                                    + " `(ReentrantLock@[0-9a-f]+)`\\. `\\1` "
                                    + result
                                    + " `lease`, which has no carrier to run on\\.");
            assertThat(jvm.endpoint().report().get("starved").get("diagnosis").get("locks").list())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void carriersThatTasksBlockWhichAreNoVirtualThreadsAreReportedAndRelieved(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("--add-opens=java.base/java.lang=ALL-UNNAMED")
                        .agent("port=0,report=off,starvation-after=1s,vm-events=on,relief=stuck")
                        .main(BlockedTasks.class, 2)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")
                        .proceed()) {
            assertThat(awaitVerdict(jvm))
                    .matches(
                            "`ReentrantLock@[0-9a-f]+` is owned by `owner`, which has no carrier"
                                    + " to run on\\. 2 of 2 carriers are blocked by tasks that"
                                    + " are not virtual threads, at"
                                    + " `.*BlockedTasks\\.instrumented:\\d+` in"
                                    + " java\\.util\\.concurrent\\.locks\\.ReentrantLock\\.lock,"
                                    + " and wait for it\\.");
            Metrics metrics = jvm.awaitDone().metrics();
            assertThat(metrics.value("vthread_relief_carriers_total")).isPositive();
        }
    }

    static Stream<Jdk> whereWaitersForAnInitializerDoNotUnmount() {
        return Jdks.all().stream().filter(jdk -> jdk.feature() < 26);
    }

    @ParameterizedTest
    @MethodSource("whereWaitersForAnInitializerDoNotUnmount")
    void anInitializerThatOthersWaitForIsReportedWithItsThread(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(EntangledInitializers.class, "slow", CARRIERS - 1)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("stuck")) {
            assertThat(awaitVerdict(jvm))
                    .contains(
                            " 3 of 4 carriers are held by threads that wait for class `"
                                    + EntangledInitializers.class.getName()
                                    + "$First`. `first` initializes it and is at `"
                                    + EntangledInitializers.class.getName()
                                    + ".begin:")
                    .doesNotContain("vt-agent");
        }
    }

    /** Each sample finds all held or not; the time between the bursts is no part of it. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void burstsOfWorkCountForAsLongAsTheyStarveAndAreNotStuck(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(Bursts.class, 100, CARRIERS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            double starved = jvm.metrics().value("vthread_carriers_starved_seconds_sum");

            assertThat(starved / jvm.number("starved")).isBetween(0.5, 2.0);
            assertThat(jvm.endpoint().report().get("starved").get("diagnosis").value()).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void withNobodyQueuedNobodyStarves(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, CARRIERS)
                        .main(QueuedThreads.class, CARRIERS, 0)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitLine("held")) {
            Metrics metrics =
                    jvm.awaitMetrics(now -> now.value("vthread_pinned_active_longest_seconds") > 2);

            assertThat(metrics.value("vthread_carriers_held")).isEqualTo(CARRIERS);
            assertThat(metrics.value("vthread_carriers_starved_seconds_count")).isZero();
            assertThat(jvm.stderr()).hasSize(1);
            assertThat(jvm.endpoint().report().get("starved").get("diagnosis").value()).isNull();
        }
    }

    private static String awaitVerdict(ForkedJvm jvm) {
        Matcher matcher = VERDICT.matcher(jvm.awaitStderr(line -> VERDICT.matcher(line).matches()));
        assertThat(matcher.matches()).isTrue();
        return matcher.group(1);
    }

    private static String withoutId(Json thread) {
        return thread.string().replaceAll("\"(.*)\" #\\d+", "$1");
    }

    private static ForkedJvm.Launch on(Jdk jdk, int carriers) {
        return ForkedJvm.on(jdk)
                .carriers(carriers)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=off,starvation-after=1s,vm-events=on");
    }
}
