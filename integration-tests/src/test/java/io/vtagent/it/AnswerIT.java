package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.SlowPrograms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that are slow for many reasons, and the agent's answer to why that is. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AnswerIT {
    /** A diagnosis is made after 5 s, and a wait counts after 1 s. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    /** The program, the answer where monitors pin, the answer elsewhere, and the method. */
    @ParameterizedTest
    @CsvSource({
        "spinningPool, busy, busy, borrow",
        "exhaustedPool, waiting, waiting, getConnection",
        "monitor, held, waiting, refreshCache",
        "shortTasks, nothing, nothing, ",
    })
    void theAnswerNamesTheCauseAndTheLine(
            String program, String wherePinning, String elsewhere, String method) {
        check(program, jdk.monitorsPin() ? wherePinning : elsewhere, method);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "computing, busy, busy, compute|computeAndSleep",
        "objectWait, harmless, waiting, awaitNotify",
        "computingLong, busy, busy, compute|computeLong",
        "slowPeer, waiting, waiting, readReply",
        "accepting, waiting, waiting, acceptOne",
        "selecting, harmless, waiting, select",
        "queue, waiting, waiting, takeOne",
        "lock, waiting, waiting, lockIt",
        "readWriteLock, waiting, waiting, readLocked",
        "deadlock, waiting, waiting, lockBoth",
        "condition, waiting, waiting, awaitCondition",
        "latch, waiting, waiting, awaitLatch",
        "phaser, waiting, waiting, awaitPhase",
        "barrier, waiting, waiting, awaitBarrier",
        "completableFuture, waiting, waiting, joinFuture",
        "future, waiting, waiting, getResult",
        "sleeping, waiting, waiting, sleepLong",
        "computeIfAbsent, stuck, waiting, loadOnce",
        "pinnedAlone, harmless, waiting, sleepInMonitor",
        "pinnedAndReady, stuck, waiting, sleepInMonitor",
        "none, nothing, nothing, ",
    })
    void eachOtherProgramGetsItsAnswer(
            String program, String wherePinning, String elsewhere, String method) {
        check(program, jdk.monitorsPin() ? wherePinning : elsewhere, method);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"initializer, initialize|<clinit>"})
    void aThreadThatWaitsForAnInitializerIsStuckWhereThatHolds(String program, String method) {
        check(program, jdk.unmountsWaitersForInitializers() ? "waiting" : "stuck", method);
    }

    @Tag("long")
    @Test
    void pausesForTheGarbageCollectorAreTheAnswer() {
        check(ForkedJvm.on(jdk).vm("-XX:+UseSerialGC"), "collecting", "paused", null);
    }

    /** Where the user may not set a quota, the program is just busy. */
    @Tag("long")
    @Test
    void aQuotaIsTheAnswer() {
        try (CpuQuota quota = CpuQuota.of(0.5).orElse(null)) {
            if (quota == null) {
                check("computing", "busy", "compute|computeAndSleep");
            } else {
                check(ForkedJvm.on(jdk).through(quota.command()), "computing", "throttled", null);
            }
        }
    }

    private void check(String program, String kind, String method) {
        check(ForkedJvm.on(jdk), program, kind, method);
    }

    private void check(
            ForkedJvm.Launch launch, String program, String kind, @Nullable String method) {
        Path file = folder.resolve("report.json");
        FinalReport report;
        try (ForkedJvm jvm =
                launch.carriers(2)
                        .agent("port=0,report=" + file)
                        .main(SlowPrograms.class, program)
                        .awaitLine("running")) {
            Endpoint endpoint = jvm.endpoint();
            await("the answer to " + program)
                    .atMost(LIMIT)
                    .untilAsserted(() -> check(endpoint.report(), kind, method));
            report = FinalReport.of(jvm, file);
        }

        check(report.json(), kind, method);
    }

    private static void check(Json report, String kind, @Nullable String method) {
        Json answer = report.get("answer");
        assertThat(answer.get("kind").string()).isEqualTo(kind);
        if (method != null) {
            assertThat(answer.get("line").string())
                    .matches(
                            Pattern.quote(SlowPrograms.class.getName())
                                    + "(\\$\\w+)?\\.("
                                    + method
                                    + "):\\d+");
        }
        assertThat(answer.get("text").string()).startsWith(startOfText(kind));
        if (Objects.equals(method, "lockBoth")) {
            assertThat(answer.get("text").string()).contains("a deadlock", "ReentrantLock@");
        }
    }

    /** Returns the beginning of an answer: whether the cause is pinning. */
    static String startOfText(String kind) {
        return switch (kind) {
            case "stuck", "held" -> "Pinning: ";
            case "harmless" -> "Pinning, but harmless: ";
            default -> "Not pinning: ";
        };
    }
}
