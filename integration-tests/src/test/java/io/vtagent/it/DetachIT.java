package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.AlreadyLoaded;
import io.vtagent.it.workload.EndlessPins;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent leaves a JVM that goes on. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DetachIT {
    private static final int ROUNDS = Integer.getInteger("it.detach.rounds", 3);
    private static final String[] OPTIONS = {
        "", ",vm-events=on", ",relief=on,otlp=http://localhost:9"
    };
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String OWN = "io.vtagent.";

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void underLoadItComesAndGoesAndLeavesNothingBehindButTheProbe() {
        try (ForkedJvm jvm = unending().awaitLine("running")) {
            for (int round = 1; round <= ROUNDS; round++) {
                Attaching.attach(jvm, "port=0,report=off" + OPTIONS[round % OPTIONS.length]);
                Endpoint endpoint = jvm.endpoint(round);
                Attaching.awaitPins(endpoint);
                Attaching.detach(jvm, round);
                assertThat(endpoint.isUp()).isFalse();
                jvm.proceed().awaitLine("anew" + round);
            }

            // the request to detach may still be in progress
            await().atMost(LIMIT).untilAsserted(() -> assertNothingIsLeftIn(jvm));
            assertThat(jvm.proceed().awaitDone().end()).isZero();
            assertThat(jvm.stderr()).allMatch(line -> line.startsWith("[vt-agent] "));
        }
    }

    private void assertNothingIsLeftIn(ForkedJvm jvm) {
        assertThat(Jcmd.run(jvm, "Thread.print")).doesNotContain("vt-agent");
        assertThat(HeapDump.classes(jvm, folder.resolve("after.hprof")))
                .filteredOn(
                        name ->
                                (name.startsWith(OWN) && !name.startsWith(OWN + "it."))
                                        || name.contains("VtAgent"))
                .isNotEmpty()
                .allMatch(
                        name ->
                                name.equals(OWN + "VtAgent")
                                        || name.equals(OWN + "AgentClassLoader")
                                        // what the JDK remembers instead of others, in a loader of
                                        // their own
                                        || name.startsWith(OWN + "jvm.RecordMethods")
                                        || name.equals("java.lang.VtAgentProbe"));
    }

    @Test
    void whatCameByJavaagentGoesToo() {
        try (ForkedJvm jvm = unending("port=0,report=off").awaitLine("running")) {
            Attaching.awaitPins(jvm.endpoint());
            Attaching.detach(jvm, 1);
            Attaching.attach(jvm, "port=0,report=off");
            Attaching.awaitPins(jvm.endpoint(2));
            Attaching.detach(jvm, 2);
            jvm.proceed().awaitLine("anew1");
            assertThat(jvm.stderr()).allMatch(line -> line.startsWith("[vt-agent] "));
        }
    }

    /** They are in the JVM until it collects them. */
    @Test
    void theClassesOfAnAgentThatHasLeftAreNotWrappedByTheNext() {
        // a JVM that collects no classes meanwhile
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-XX:+EnableDynamicAgentLoading", "-XX:MetaspaceSize=512m")
                        .main(AlreadyLoaded.class)
                        .awaitLine("running")) {
            double wrapped = wrappedByAgent(1, jvm);
            assertThat(wrapped > 0).isEqualTo(jdk.monitorsPin());
            assertThat(wrappedByAgent(2, jvm)).isEqualTo(wrapped);
        }
    }

    private static double wrappedByAgent(int number, ForkedJvm jvm) {
        Attaching.attach(jvm, "port=0,report=off");
        double wrapped =
                jvm.endpoint(number)
                        .metrics()
                        .value("vthread_agent_classes_total", "outcome", "transformed");
        Attaching.detach(jvm, number);
        return wrapped;
    }

    @Test
    void theReportOfTheTimeUntilThenIsWritten() {
        try (ForkedJvm jvm = unending().awaitLine("running")) {
            Attaching.attach(jvm, "port=0");
            Attaching.awaitPins(jvm.endpoint());
            Attaching.detach(jvm, 1);
            assertThat(jvm.stderr())
                    .anyMatch(
                            line ->
                                    line.startsWith("[vt-agent] carriers were held for ")
                                            || line.startsWith(
                                                    "[vt-agent] no virtual thread held its"
                                                            + " carrier"));
        }
    }

    private ForkedJvm unending(String... options) {
        ForkedJvm.Launch launch =
                ForkedJvm.on(jdk).carriers(4).vm("-XX:+EnableDynamicAgentLoading");
        for (String each : options) {
            launch.agent(each);
        }
        return launch.main(EndlessPins.class, 8, ROUNDS);
    }
}
