package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.FirstPins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The first second of a service is when users measure it, and when everything is slow. */
final class FirstPinsIT {
    private static final int THREADS = 300;
    private static final int CARRIERS = 4;

    @TempDir Path folder = Path.of("");

    /**
     * Sampled pins last longer: the time of a pin that is over when its stack is read has no site.
     */
    static List<Arguments> ways() {
        List<Arguments> ways = new ArrayList<>();
        for (Jdk jdk : Jdks.all()) {
            for (int busy : List.of(0, 2)) {
                if (jdk.monitorsPin()) {
                    ways.add(Arguments.of(jdk, busy, "monitor", "park", 3));
                    ways.add(Arguments.of(jdk, busy, "wait", "wait", 3));
                    ways.add(Arguments.of(jdk, busy, "enter", "enter", 20));
                    ways.add(Arguments.of(jdk, busy, "jdk", "enter", 30));
                }
                ways.add(Arguments.of(jdk, busy, "native", "park", 3));
                ways.add(Arguments.of(jdk, busy, "sleep", "native", 30));
            }
        }
        return ways;
    }

    @ParameterizedTest(name = "{0}, {1} busy: {2}")
    @MethodSource("ways")
    void fromTheFirstPinOnTheTimeHasASite(Jdk jdk, int busy, String way, String kind, int millis) {
        Path file = folder.resolve("report.json");
        FinalReport report;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,report=" + file)
                        .main(FirstPins.class, THREADS, millis, busy, way)
                        .awaitDone()) {
            report = FinalReport.of(jvm, file);
        }

        double toItsLine = heldBy(report, kind, FirstPins.class.getPackageName() + ".");
        // what JNA does in native code itself, when it is called first
        double others = heldBy(report, kind, "com.sun.jna.");
        // hooks know the line of each park and wait; of other pins some end before the sampler has
        // read their stack
        double least = kind.equals("park") || kind.equals("wait") ? 0.99 : 0.9;
        assertThat(toItsLine).isGreaterThan(least * (report.heldSeconds(kind) - others));
        // by their own clocks the threads are held for longer: they wait for a CPU, too; the
        // sampler misses some of the first pins that only it finds
        double seen = way.equals("sleep") || way.equals("jdk") ? 0.3 : 0.5;
        assertThat(toItsLine)
                .as("what the threads have asked for")
                .isGreaterThan(seen * THREADS * millis / 1_000);
    }

    /** For how long callers of such names held their carriers. */
    private static double heldBy(FinalReport report, String kind, String caller) {
        return report.sites(kind).stream()
                        .filter(site -> site.get("caller").string().startsWith(caller))
                        .mapToDouble(site -> site.get("heldNanos").number())
                        .sum()
                / 1e9;
    }
}
