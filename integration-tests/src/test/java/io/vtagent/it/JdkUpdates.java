package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.reference.JdkCase;
import io.vtagent.it.workload.EndlessPins;
import io.vtagent.it.workload.Relieved;
import io.vtagent.it.workload.TracedPins;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code mvn -Pjdk-updates -pl integration-tests -am verify}: what matters most, on older updates
 * of the JDKs too.
 */
@ParameterizedClass
@MethodSource("updates")
final class JdkUpdates {
    private static final List<String> OLDER = List.of("21.0.2", "21.0.4", "25.0.2");
    private static final int CARRIERS = 8;

    @Parameter Update update = new Update("21", Jdks.jdk21());

    record Update(String version, Jdk jdk) {
        @Override
        public String toString() {
            return "JDK " + version;
        }
    }

    static List<Update> updates() {
        List<Update> updates = new ArrayList<>();
        for (String version : OLDER) {
            int feature = Integer.parseInt(version.substring(0, version.indexOf('.')));
            updates.add(new Update(version, Jdks.update(version, feature)));
        }
        for (Jdk jdk : Jdks.all()) {
            updates.add(new Update(Integer.toString(jdk.feature()), jdk));
        }
        return updates;
    }

    @Test
    void corePinsAreCounted() {
        Jdk jdk = update.jdk();
        List<JdkCase> cases =
                List.of(
                        JdkCase.PARK_IN_MONITOR,
                        JdkCase.OBJECT_WAIT,
                        JdkCase.CONTENDED_MONITOR,
                        JdkCase.NATIVE_FRAME,
                        JdkCase.INITIALIZER,
                        JdkCase.FILE,
                        JdkCase.NATIVE_CODE);
        JdkCell.Column column = JdkCell.measure(jdk, cases);
        for (JdkCase each : cases) {
            JdkCell cell = column.cells().get(cases.indexOf(each));
            String what =
                    each.kindAndReason(jdk.monitorsPin(), jdk.unmountsWaitersForInitializers());
            assertThat(cell.pins())
                    .as("%s on %s pins", each, column.java())
                    .isEqualTo(!what.isEmpty());
            assertThat(cell.error(what))
                    .as("%s on %s is %s, of %s", each, column.java(), what, cell.reported())
                    .isLessThan(0.15);
        }
    }

    @Test
    void itIsAttachedAndDetached() {
        try (ForkedJvm jvm =
                ForkedJvm.on(update.jdk())
                        .carriers(4)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        .main(EndlessPins.class, 8, 1)
                        .awaitLine("running")) {
            Attaching.attach(jvm, "port=0,report=off");
            Attaching.awaitPins(jvm.endpoint());
            Attaching.detach(jvm, 1);
            assertThat(jvm.proceed().awaitLine("anew1").proceed().awaitDone().end()).isZero();
        }
    }

    @Test
    void reliefAddsCarriers() {
        Jdk jdk = update.jdk();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=off,relief=on")
                        .main(
                                Relieved.class,
                                jdk.monitorsPin() ? "monitor" : "native",
                                1_500,
                                10_000)) {
            assertThat(jvm.awaitLine("warm").proceed().number("most pinned at a time"))
                    .isGreaterThan(3 * CARRIERS);
        }
    }

    @Test
    void withTracedPinsTheApplicationRuns() {
        for (String value : List.of("full", "short")) {
            try (ForkedJvm jvm =
                    ForkedJvm.on(update.jdk())
                            .vm("-Djdk.tracePinnedThreads=" + value)
                            .agent("port=0,report=stderr")
                            .main(TracedPins.class)) {
                assertThat(jvm.awaitLine("over").end()).isZero();
                boolean isBad = update.jdk().monitorsPin();
                assertThat(jvm.stderr())
                        .as(jvm::toString)
                        .filteredOn(
                                line ->
                                        line.contains("-Djdk.tracePinnedThreads")
                                                && line.contains("runs without the agent"))
                        .hasSize(isBad ? 1 : 0);
                assertThat(jvm.stderr()).as(jvm::toString).hasSize(isBad ? 1 : jvm.stderr().size());
            }
        }
    }

    @Test
    void aBugThatTheUserWouldMeetIsOneLineAtTheStart() {
        try (ForkedJvm jvm = ForkedJvm.on(update.jdk()).agent().main(TracedPins.class)) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr().stream().filter(line -> line.contains("JDK-")))
                    .as(jvm::toString)
                    .hasSize(update.version().equals("25.0.2") ? 1 : 0)
                    .allMatch(
                            line ->
                                    line.contains("JDK-8369227")
                                            && line.contains("fixed in 25.0.3"));
        }
    }
}
