package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.NestedWaits;
import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code Object.wait} releases only the monitor that it is called on, of all that the thread has,
 * and a thread that enters a monitor releases none.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class NestedWaitsIT {
    private static final String POOL = NestedWaits.class.getName() + "$Pool";
    private static final String ORDER = NestedWaits.class.getName() + "$Order";
    private static final String RECEIPT = NestedWaits.class.getName() + "$Receipt";
    private static final String ALONE = "That alone would not help";

    /** The compiler may keep the objects elsewhere than the interpreter does. */
    private static final List<String> COMPILED =
            List.of(
                    "-Xcomp",
                    "-XX:CompileCommand=compileonly,*NestedWaits*::*",
                    "-XX:CompileCommand=compileonly,java.lang.Object::wait",
                    "-XX:CompileCommand=quiet");

    @Parameter Jdk jdk = Jdks.jdk21();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWaitThatKeepsNoOtherMonitorNamesNone(boolean compiled) {
        Json site = waitedAt("again", compiled);

        assertThat(site.get("advice").string())
                .contains("Replace wait and notify")
                .doesNotContain(ALONE);
        assertThat(site.get("monitors").list())
                .hasSize(2)
                .allSatisfy(
                        frame -> {
                            assertThat(frame.get("classes").string()).isEqualTo(POOL);
                            assertThat(frame.get("keptByWait").value()).isNull();
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMonitorThatACallerHasIsNamedWithItsFrame(boolean compiled) {
        Json site = waitedAt("outer", compiled);

        assertThat(site.get("site").string()).startsWith(POOL + ".take:");
        assertThat(site.get("advice").string())
                .contains(ALONE + ": " + ORDER + ".pay holds a monitor of " + ORDER + " meanwhile");
        List<Json> monitors = site.get("monitors").list();
        assertThat(monitors).hasSize(3);
        assertThat(monitors.getFirst().get("keptByWait").value()).isNull();
        assertThat(monitors.getLast().get("classes").string()).isEqualTo(ORDER);
        assertThat(monitors.getLast().get("keptByWait").string()).isEqualTo(ORDER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofTheMonitorsOfOneFrameTheOneThatIsKeptIsNamed(boolean compiled) {
        Json site = waitedAt("inner", compiled);

        assertThat(site.get("advice").string())
                .contains(
                        ALONE
                                + ": "
                                + POOL
                                + ".takeWith holds a monitor of "
                                + ORDER
                                + " meanwhile");
        assertThat(site.get("monitors").list())
                .singleElement()
                .satisfies(
                        frame -> {
                            assertThat(frame.get("classes").string())
                                    .isEqualTo(ORDER + ", " + POOL);
                            assertThat(frame.get("keptByWait").string()).isEqualTo(ORDER);
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadThatWaitsToEnterAMonitorKeepsAllThatItHas(boolean compiled) {
        Json site = foundAt("enter", "entry", compiled);

        assertThat(site.get("advice").string())
                .contains("Replace synchronized with a ReentrantLock")
                .contains(
                        ALONE
                                + ": "
                                + POOL
                                + ".giveWith holds a monitor of "
                                + RECEIPT
                                + " meanwhile");
        List<Json> monitors = site.get("monitors").list();
        assertThat(monitors).hasSize(2);
        assertThat(monitors.getFirst().get("classes").string()).isEqualTo(POOL + ", " + RECEIPT);
        assertThat(monitors.getFirst().get("keptByWait").string()).isEqualTo(RECEIPT);
        assertThat(monitors.getLast().get("classes").string()).isEqualTo(ORDER);
        assertThat(monitors.getLast().get("keptByWait").string()).isEqualTo(ORDER);
    }

    private Json waitedAt(String shape, boolean compiled) {
        return foundAt("wait", shape, compiled);
    }

    private Json foundAt(String kind, String shape, boolean compiled) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm(compiled ? COMPILED.toArray(String[]::new) : new String[0])
                        .agent()
                        .main(NestedWaits.class, shape, 20)
                        .awaitDone()) {
            return jvm.endpoint().report().get("sites").list().stream()
                    .filter(site -> site.get("kind").string().equals(kind))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("nothing was counted\n" + jvm));
        }
    }
}
