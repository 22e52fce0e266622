package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.Context;
import com.sun.jna.Native;
import io.vtagent.it.workload.HeldCarriers;
import io.vtagent.it.workload.NativeSleeps;
import io.vtagent.it.workload.PinsWithContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/** Lines that {@code log-pins} writes to the agent's log for long pins. */
final class PinLogIT {
    @Test
    void aPinIsALineWhileItLastsAndWhenItHasEnded() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(8)
                        .agent("port=0,report=off,log-pins=300ms")
                        .main(HeldCarriers.class, 2, 0, 0)
                        .awaitLine("held")) {
            String held =
                    jvm.awaitStderr(
                            2,
                            line ->
                                    line.startsWith("[vt-agent] pin of ")
                                            && line.contains(" so far, park, monitor: "));
            assertThat(held)
                    .contains(
                            ": io.vtagent.it.workload.HeldCarriers.park:",
                            ", blocked in java.util.concurrent.locks.LockSupport.park, thread"
                                    + " \"task-",
                            " < => io.vtagent.it.workload.HeldCarriers.park(HeldCarriers.java:",
                            "  <== monitor: java.lang.Object");

            jvm.proceed();
            jvm.awaitStderr(
                    2,
                    line ->
                            line.startsWith("[vt-agent] pin of ")
                                    && line.contains(" s, park, monitor: io.vtagent.it.workload."));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aSampledPinIsALineToo(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .agent("port=0,report=off,log-pins=300ms")
                        .main(NativeSleeps.class, "jna", 1, 1, 1_500)
                        .awaitLine("warm")
                        .proceed()) {
            jvm.awaitStderr(
                    line ->
                            line.startsWith("[vt-agent] pin of ")
                                    && line.contains(" so far, native, none: ")
                                    && line.contains("NativeSleeps"));
            jvm.awaitStderr(
                    line ->
                            line.startsWith("[vt-agent] pin of 1.")
                                    && line.contains(" s, native, none: ")
                                    && line.contains("NativeSleeps"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aLineHasTheTraceIdThatLogbackHas(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .classPath(
                                ForkedJvm.locationOf(MDC.class),
                                ForkedJvm.locationOf(Logger.class),
                                ForkedJvm.locationOf(Context.class))
                        .agent("port=0,report=off,log-pins=500ms,context=traceId;none")
                        .main(PinsWithContext.class)) {
            String ended = "\\[vt-agent] pin of [^ ]+ m?s, park, class_init: .*";
            assertThat(jvm.awaitStderr(line -> line.matches(ended)))
                    .containsPattern("thread \"order-7\" #\\d+, traceId=4bf92f35; ")
                    .contains("PinsWithContext$Slow.<clinit>")
                    .doesNotContain("none=", "not asked for");
        }
    }

    @Test
    void withoutTheOptionNoPinIsLogged() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(8)
                        .agent("port=0,report=off")
                        .main(HeldCarriers.class, 2, 0, 0)
                        .awaitLine("held")) {
            jvm.proceed();
            List<String> lines = jvm.awaitDone().stderr();
            assertThat(lines).noneMatch(line -> line.contains("pin of"));
        }
    }
}
