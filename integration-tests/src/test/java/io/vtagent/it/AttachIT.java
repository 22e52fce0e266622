package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.text.Sample;
import io.vtagent.it.workload.AlreadyLoaded;
import io.vtagent.it.workload.EndAtOnce;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent in a JVM that runs already. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AttachIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void pinsAreCountedFromThenOn() throws Exception {
        try (ForkedJvm jvm = running()) {
            attach(jvm);
            jvm.awaitSensor("park").awaitSensor("wait").awaitSensor("io");
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics();

            assertThat(metrics.pins("kind", "park", "reason", "class_init")).isEqualTo(1);
            if (jdk.monitorsPin()) {
                jvm.awaitSensor("enter");
                assertThat(metrics.sites("park")).containsKey(jvm.fact("site"));
                // the block of a class that was loaded before
                assertThat(metrics.sites("enter").keySet())
                        .anyMatch(
                                site -> site.startsWith(AlreadyLoaded.class.getName() + ".sleep:"));
            } else {
                assertThat(metrics.pins("reason", "monitor")).isZero();
                assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                        .isZero();
            }
        }
    }

    @Test
    void aSynchronizedMethodOfAClassThatWasLoadedBeforeIsReportedByTheJvmWhereMonitorsPin()
            throws Exception {
        try (ForkedJvm jvm = running()) {
            attach(jvm, ",vm-events=on");
            jvm.awaitSensor("park");
            jvm.proceed().awaitDone().proceed().awaitLine("warm").awaitSensor("vm");
            Metrics before = jvm.metrics();
            jvm.proceed().awaitLine("contended");

            String method = AlreadyLoaded.class.getName() + ".enter:";
            if (jdk.monitorsPin()) {
                Metrics after =
                        jvm.awaitMetrics(
                                now -> contended(now, "count", method) >= AlreadyLoaded.WAITERS);
                double least = AlreadyLoaded.WAITERS * AlreadyLoaded.MILLIS / 1e3;
                assertThat(contended(after, "count", method)).isEqualTo(AlreadyLoaded.WAITERS);
                assertThat(contended(after, "sum", method)).isGreaterThanOrEqualTo(0.99 * least);
            } else {
                assertThat(jvm.metrics().since(before).pins("kind", "enter")).isZero();
            }
        }
    }

    /**
     * None of them comes again, and those that may come later should not be the first ones missed.
     */
    @Test
    void virtualThreadsThatHaveEndedBeforeAreEnoughToStartTheJvmsEvents() throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(EndAtOnce.class, 100)
                        .awaitLine("ended")) {
            attach(jvm, ",vm-events=on");
            assertThat(jvm.awaitSensor("vm").proceed().end()).isZero();
        }
    }

    private static double contended(Metrics metrics, String figure, String method) {
        return metrics.all("vthread_pinned_site_seconds_" + figure, "kind", "enter")
                .filter(sample -> sample.label("site").startsWith(method))
                .mapToDouble(Sample::value)
                .sum();
    }

    @Test
    void aClassWhoseInitializerHasFailedIsLeftAlone() throws Exception {
        try (ForkedJvm jvm = running()) {
            attach(jvm);
            jvm.awaitSensor("park");
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .allMatch(line -> line.startsWith("[vt-agent] "))
                    .noneMatch(line -> line.contains("has ended"));
        }
    }

    @Test
    void aSecondAgentReportsThatThereIsOneAndDoesNothing() throws Exception {
        try (ForkedJvm jvm = running()) {
            attach(jvm);
            jvm.awaitSensor("park");
            attach(jvm);
            assertThat(jvm.awaitStderr(line -> line.contains("already"))).startsWith("[vt-agent] ");
            jvm.proceed();
            assertThat(jvm.awaitDone().metrics().pins("kind", "park", "reason", "class_init"))
                    .isEqualTo(1);
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(2);
        }
    }

    private ForkedJvm running() {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-XX:+EnableDynamicAgentLoading", "-Xverify:all")
                .main(AlreadyLoaded.class)
                .awaitLine("running");
    }

    private static void attach(ForkedJvm jvm) {
        attach(jvm, "");
    }

    private static void attach(ForkedJvm jvm, String options) {
        Attaching.attach(jvm, "port=0,report=off" + options);
    }
}
