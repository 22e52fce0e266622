package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.RandomStacks;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Deep stacks that are alike except for one frame, as those of one library below another are. */
final class RandomStacksIT {
    private static final long SEED = Long.getLong("stacks.seed", 46);
    private static final List<String> KINDS = List.of("park", "wait", "enter");

    static Stream<Arguments> jvms() {
        return Stream.of(Jdks.jdk21(), Jdks.jdk25())
                .flatMap(
                        jdk ->
                                Stream.of(
                                                "-XX:MaxJavaStackTraceDepth=1024",
                                                "-XX:MaxJavaStackTraceDepth=250",
                                                "-XX:MaxJavaStackTraceDepth=10",
                                                "-XX:-StackTraceInThrowable")
                                        .map(flag -> Arguments.of(jdk, flag)));
    }

    /** The first flag is the JVM's default. */
    @ParameterizedTest
    @MethodSource("jvms")
    void everyPinIsCountedAtTheFrameThatHoldsItAndForItsReason(Jdk jdk, String flag) {
        Map<String, Long> sites = new TreeMap<>();
        Map<String, Long> reasons = new TreeMap<>();
        String expected;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true", flag)
                        .agent("port=0,report=off,stack-threshold=0ms")
                        .main(RandomStacks.class, SEED, jdk.monitorsPin() ? "pins" : "pinsNot")
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            expected = jvm.fact("pins");
            Json report = jvm.endpoint().report();
            for (Json site : report.get("sites").list()) {
                add(sites, site, site.get("site").string());
            }
            for (Json total : report.get("totals").list()) {
                add(reasons, total, total.get("reason").string());
            }
        }

        Map<String, Long> expectedSites = new TreeMap<>();
        Map<String, Long> expectedReasons = new TreeMap<>();
        for (String pin : expected.substring(1, expected.length() - 1).split(", ", -1)) {
            String[] kindReasonSite = pin.substring(0, pin.lastIndexOf('=')).split(" ", -1);
            long count = Long.parseLong(pin.substring(pin.lastIndexOf('=') + 1));
            expectedSites.merge(kindReasonSite[0] + " " + kindReasonSite[2], count, Long::sum);
            expectedReasons.merge(kindReasonSite[0] + " " + kindReasonSite[1], count, Long::sum);
        }
        // the JVM itself may contend for monitors of class loaders
        sites.keySet()
                .removeIf(
                        site ->
                                site.startsWith("enter")
                                        && !site.contains(RandomStacks.class.getName()));
        reasons.keySet().removeIf(reason -> reason.startsWith("enter"));
        expectedReasons.keySet().removeIf(reason -> reason.startsWith("enter"));
        assertThat(sites).as("seed %d", SEED).isEqualTo(expectedSites);
        assertThat(reasons).as("seed %d", SEED).isEqualTo(expectedReasons);
    }

    private static void add(Map<String, Long> counts, Json counted, String name) {
        String kind = counted.get("kind").string();
        if (KINDS.contains(kind)) {
            counts.merge(kind + " " + name, (long) counted.get("count").number(), Long::sum);
        }
    }
}
