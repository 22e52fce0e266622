package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vtagent.it.workload.CarrierStates;
import io.vtagent.it.workload.EndingSpareCarriers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The use of the carriers' time, compared with the kernel's figures and the workload's own clock.
 */
@Tag("long")
final class CarrierStatesIT {
    private static final int CARRIERS = 2;
    private static final int MILLIS = 10_000;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Processors: less than the program uses. */
    private static final double QUOTA = 0.2;

    /** The rest is before and after the program, while its JVM starts and ends. */
    private static final double MAX = 0.5;

    /**
     * The tolerance, as a share of carriers times time. The report is taken a moment before and
     * after the workload.
     */
    private static final double TOLERANCE = 0.03;

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void onFreeCpusEachStateIsAsTheKernelAndTheThreadsReport(Jdk jdk) {
        eachStateIsRight(jdk, CARRIERS, 0);
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void withTwiceAsManyThreadsAsProcessorsToo(Jdk jdk) {
        eachStateIsRight(jdk, CARRIERS, 2 * Runtime.getRuntime().availableProcessors());
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whileIdleCarriersAreIdle(Jdk jdk) {
        eachStateIsRight(jdk, 0, 0);
    }

    /**
     * Where the user may not set a quota, the same program runs without one: then nothing is
     * throttled.
     */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void underAQuotaToo(Jdk jdk) {
        try (CpuQuota quota = CpuQuota.of(QUOTA).orElse(null)) {
            ForkedJvm.Launch launch = ForkedJvm.on(jdk);
            double throttled =
                    eachStateIsRight(
                            quota == null ? launch : launch.through(quota.command()), CARRIERS, 0);
            if (quota == null) {
                assertThat(throttled).isZero();
            } else {
                double reference = quota.throttledSeconds();
                assertThat(throttled).isBetween(MAX * reference, reference);
            }
        }
    }

    private static void eachStateIsRight(Jdk jdk, int threads, int competing) {
        eachStateIsRight(ForkedJvm.on(jdk), threads, competing);
    }

    /** Returns for how many seconds the program was throttled according to the agent. */
    private static double eachStateIsRight(ForkedJvm.Launch launch, int threads, int competing) {
        try (ForkedJvm jvm =
                launch.carriers(CARRIERS)
                        .vm("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED")
                        .agent()
                        .main(CarrierStates.class, threads, MILLIS, competing)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitLine("began")) {
            Json before = report(jvm);
            jvm.proceed();
            if (threads == 0) {
                jvm.awaitUptime(before.get("uptimeNanos").number() + MILLIS * 1e6);
            }
            jvm.awaitDone();
            Json after = report(jvm);

            double carriers = after.get("scheduler").get("size").number();
            double uptime = seconds(before, after, "uptimeNanos");
            double held = time(before, after, "heldNanos");
            double running = time(before, after, "runningNanos");
            double runnable = time(before, after, "runnableNanos");
            double idle = time(before, after, "idleNanos");
            double all = carriers * uptime;
            double off = TOLERANCE * all;
            String figures =
                    "held %.6f, running %.3f, runnable %.3f, idle %.3f of %.3f s; reference: %s"
                            .formatted(held, running, runnable, idle, all, jvm.stdout());
            assertThat(held + running + runnable + idle).as(figures).isCloseTo(all, within(off));
            assertThat(held).as(figures).isCloseTo(jvm.number("held"), within(off));
            assertThat(running).as(figures).isCloseTo(jvm.number("running"), within(off));
            assertThat(runnable).as(figures).isCloseTo(jvm.number("runnable"), within(off));
            double idleReference =
                    all - jvm.number("held") - jvm.number("running") - jvm.number("runnable");
            assertThat(idle).as(figures).isCloseTo(idleReference, within(off));
            return seconds(before, after, "throttledNanos");
        }
    }

    /** Up to JDK 23 the scheduler compensates for selectors while it has spare carriers. */
    @Test
    void selectorsThatAreCompensatedForLoseNothing() {
        try (ForkedJvm jvm = selecting(20, 1_500).awaitLine("late")) {
            Json report = jvm.endpoint().report();

            assertThat(jvm.fact("ran")).isEqualTo("true");
            assertThat(jvm.metrics().value("vthread_carriers_held")).isEqualTo(20);
            assertThat(report.get("lostShare").number()).isLessThan(0.02);
        }
    }

    @Test
    void whenTheSpareCarriersHaveEndedEverythingIsLost() {
        try (ForkedJvm jvm = selecting(CARRIERS, 3_000, 300).awaitLine("late")) {
            assertThat(jvm.fact("ran")).isEqualTo("false");
            Json before = jvm.endpoint().report();
            jvm.awaitUptime(before.get("uptimeNanos").number() + NANOS_PER_SECOND);
            Json after = jvm.endpoint().report();

            double uptime = seconds(before, after, "uptimeNanos");
            assertThat(seconds(before, after, "lostNanos") / (CARRIERS * uptime))
                    .isCloseTo(1, within(0.1));
            assertThat(after.get("lostShare").number()).isBetween(0.3, 1.0);
            assertThat(seconds(before.get("waiting"), after.get("waiting"), "heldNanos"))
                    .as("the late thread waits, and nothing else")
                    .isCloseTo(uptime, within(0.1 * uptime));
            assertThat(after.get("sites").list())
                    .extracting(site -> site.get("waitingNanos").number())
                    .first()
                    .satisfies(nanos -> assertThat(nanos).isGreaterThan(NANOS_PER_SECOND));
        }
    }

    private static ForkedJvm selecting(Object... arguments) {
        return ForkedJvm.on(Jdks.jdk21())
                .carriers(CARRIERS)
                .vm("--add-opens", "java.base/java.lang=ALL-UNNAMED")
                .vm("--add-opens", "java.base/java.util.concurrent=ALL-UNNAMED")
                .agent()
                .main(EndingSpareCarriers.class, arguments)
                .awaitLine("ready")
                .proceed();
    }

    private static Json report(ForkedJvm jvm) {
        return jvm.endpoint().report();
    }

    private static double time(Json before, Json after, String state) {
        return seconds(
                before.get("scheduler").get("time"), after.get("scheduler").get("time"), state);
    }

    private static double seconds(Json before, Json after, String field) {
        return (after.get(field).number() - before.get(field).number()) / NANOS_PER_SECOND;
    }
}
