package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.BusyThreads;
import io.vtagent.it.workload.Tasks;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Virtual threads that compute for long without unmounting are found, with the line that does;
 * those that compute briefly are not. The times are compared with those that the program measures
 * itself, since on a machine that does other work a brief computation can take long.
 */
final class BusyIT {
    private static final String TIME = "vthread_busy_site_seconds_sum";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theLineThatComputesIsNamed(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "").main(BusyThreads.class, "compute", 1, 50_000, 50_000)) {
            run(jvm, 3);
            String line = jvm.fact("caller");
            Metrics metrics = jvm.metrics();

            assertThat(metrics.sum(TIME, "site", line, "caller", line))
                    .as("most of what is attributed is at the line")
                    .isGreaterThan(
                            0.5 * (metrics.sum(TIME) - metrics.sum(TIME, "site", "(unattributed)")))
                    .isPositive();
            assertThat(metrics.sum(TIME)).isLessThan(1.5 * jvm.number("seconds"));
            Json first = busy(jvm).getFirst();
            assertThat(first.get("caller").string()).isEqualTo(line);
            assertThat(first.get("longestNanos").number())
                    .isBetween(10e6, 1e9 * jvm.number("seconds"));
            assertThat(first.get("stack").list().getFirst().string())
                    .contains("BusyThreads.compute(BusyThreads.java");
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void ofTheUsersPackagesIfTheyAreKnown(Jdk jdk) {
        String app = ",app=com.acme;" + Tasks.class.getName();
        try (ForkedJvm jvm = on(jdk, app).main(BusyThreads.class, "compute", 1, 50_000, 50_000)) {
            run(jvm, 2);

            Json first = busy(jvm).getFirst();
            assertThat(first.get("site").string()).isEqualTo(jvm.fact("caller"));
            assertThat(first.get("caller").string())
                    .startsWith(Tasks.class.getName() + ".lambda$start$");
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aPoolThatSpinsIsNamedWhileItDoes(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "").main(BusyThreads.class, "spin", 50, 0, 0)) {
            jvm.awaitLine("warm").proceed().awaitLine("computing");
            jvm.awaitMetrics(now -> now.sum(TIME) > 3);
            assertThat(jvm.endpoint().report().get("busyCarriers").number()).isEqualTo(2);
            String site = busy(jvm).getFirst().get("site").string();
            jvm.proceed().awaitDone();

            assertThat(site).isEqualTo(jvm.fact("caller"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void manyThatComputeBrieflyAreNotBusy(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "").main(BusyThreads.class, "compute", 64, 1_000, 5_000)) {
            run(jvm, 5);
            hardlyAnyIsBusy(jvm);
        }
    }

    /** Also where a thread is alone, and is mounted again at once. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void oneThatYieldsEveryNowAndThenIsNotBusy(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "").main(BusyThreads.class, "compute", 1, 1_000, 0)) {
            run(jvm, 5);
            hardlyAnyIsBusy(jvm);
        }
    }

    private static void hardlyAnyIsBusy(ForkedJvm jvm) {
        assertThat(jvm.metrics().sum(TIME))
                .isLessThan(2 * jvm.number("longSeconds") + 0.05 * jvm.number("seconds"));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void switchedOffNothingIsRead(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, ",busy=off").main(BusyThreads.class, "compute", 1, 50_000, 50_000)) {
            run(jvm, 2);

            assertThat(jvm.metrics().text()).doesNotContain("vthread_busy");
            Json report = jvm.endpoint().report();
            assertThat(report.get("busy").value()).isNull();
            assertThat(report.get("busyCarriers").value()).isNull();
        }
    }

    /** In an idle JVM, the agent measures once in ten seconds. */
    @Test
    void aThreadThatNeverUnmountsIsMeasuredEachSecond() {
        try (ForkedJvm jvm =
                on(Jdks.jdk25(), "")
                        .main(BusyThreads.class, "spin", 1, 0, 0)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("computing")) {
            double began = jvm.endpoint().report().get("uptimeNanos").number();
            jvm.awaitUptime(began + 12e9);

            Json history = Json.parse(jvm.endpoint().get("/api/history", "*/*").body());
            assertThat(history.get("seconds").get("time_running").list())
                    .isNotEmpty()
                    .allMatch(thousandths -> thousandths.number() < 4_000);
        }
    }

    /** Lets the program compute for that long, and waits until it has printed its figures. */
    private static void run(ForkedJvm jvm, int seconds) {
        jvm.awaitLine("warm").proceed().awaitLine("computing");
        double began = jvm.endpoint().report().get("uptimeNanos").number();
        jvm.awaitUptime(began + seconds * 1e9).proceed().awaitDone();
    }

    /**
     * Returns those with a stack: perhaps none can be read in time where the machine does other
     * work.
     */
    private static List<Json> busy(ForkedJvm jvm) {
        return jvm.endpoint().report().get("busy").list().stream()
                .filter(site -> !site.get("site").string().equals("(unattributed)"))
                .toList();
    }

    private static ForkedJvm.Launch on(Jdk jdk, String options) {
        return ForkedJvm.on(jdk).carriers(2).agent("port=0,report=off" + options);
    }
}
