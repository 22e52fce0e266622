package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.KnownBug.Reaction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownBugTest {
    private static final String FLAG = "jdk.tracePinnedThreads";

    @Test
    void whereTracedPinsHangTheAgentStaysOut() {
        for (String jdk :
                List.of("21", "21.0.2", "21.0.4+7", "21.0.8", "21.0.13", "22.0.2", "23.0.2")) {
            for (String value : List.of("full", "short", "FULL", "")) {
                assertThat(in(jdk, Reaction.STAY_OUT, Map.of(FLAG, value)))
                        .as("%s with %s", jdk, value)
                        .singleElement()
                        .asString()
                        .contains("-D" + FLAG, "JDK-8337331", "fixed in 24");
            }
            assertThat(in(jdk, Reaction.STAY_OUT, Map.of(FLAG, "off"))).isEmpty();
            assertThat(in(jdk, Reaction.STAY_OUT, Map.of())).isEmpty();
        }
    }

    @Test
    void whereTheOptionIsGoneItDoesNot() {
        for (String jdk : List.of("24", "25", "25.0.3", "26", "27.0.1")) {
            assertThat(in(jdk, Reaction.STAY_OUT, Map.of(FLAG, "full"))).as(jdk).isEmpty();
        }
    }

    @Test
    void whereThreadsMayStayParkedItIsReportedWithTheUpdate() {
        assertThat(in("25", Reaction.WARN, Map.of()))
                .containsExactly(
                        "JDK 25: a virtual thread that parks after a timed park may never be woken"
                                + " (JDK-8369227); fixed in 25.0.3, 26.0.1 and 27");
        assertThat(in("25.0.2", Reaction.WARN, Map.of()))
                .singleElement()
                .asString()
                .startsWith("JDK 25.0.2: ");
        assertThat(in("26", Reaction.WARN, Map.of())).hasSize(1);
        for (String jdk : List.of("21", "21.0.8", "24.0.2", "25.0.3", "26.0.1", "26.0.2.1", "27")) {
            assertThat(in(jdk, Reaction.WARN, Map.of())).as(jdk).isEmpty();
        }
    }

    private static List<String> in(String jdk, Reaction reaction, Map<String, String> properties) {
        return KnownBug.in(Runtime.Version.parse(jdk), properties.get(FLAG), reaction);
    }
}
