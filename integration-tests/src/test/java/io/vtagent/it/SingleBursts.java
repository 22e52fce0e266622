package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.SingleBurst;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The time of a single burst that only the sampler sees, in a JVM that is some seconds old, or with
 * the first virtual threads. Needs an idle machine.
 */
@Isolated
final class SingleBursts {
    private static final int RUNS = 10;
    private static final int ACCURATE = 6;
    private static final double TOLERANCE = 0.1;

    @TempDir Path folder = Path.of("");

    static List<Arguments> bursts() {
        List<Arguments> bursts = new ArrayList<>();
        for (Jdk jdk : Jdks.all()) {
            bursts.add(Arguments.of(jdk, "class_init", 4, 50, "short"));
            bursts.add(Arguments.of(jdk, "native", 2, 60, "short"));
            bursts.add(Arguments.of(jdk, "class_init", 4, 50, "none"));
        }
        return bursts;
    }

    /** A short pin that one sample finds by chance may count for an interval in the same run. */
    @ParameterizedTest(name = "{0}: {1}, {4} before")
    @MethodSource("bursts")
    void nearlyEachIsAccurateToATenth(Jdk jdk, String way, int threads, int millis, String before) {
        List<String> percents = new ArrayList<>();
        int accurate = 0;
        for (int run = 0; run < RUNS; run++) {
            double part = heldPart(jdk, way, threads, millis, before);
            percents.add(String.format(Locale.ROOT, "%.1f", 100 * part));
            accurate += Math.abs(part - 1) <= TOLERANCE ? 1 : 0;
        }
        System.out.println(
                jdk
                        + ", "
                        + way
                        + ", "
                        + before
                        + " before, % of what the threads measured: "
                        + percents);
        assertThat(accurate).as("of %s %%", percents).isGreaterThanOrEqualTo(ACCURATE);
    }

    private double heldPart(Jdk jdk, String way, int threads, int millis, String before) {
        Path file = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(threads)
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=off,report=" + file)
                        .main(SingleBurst.class, way, threads, millis, before)
                        .awaitDone()) {
            FinalReport report = FinalReport.of(jvm, file);
            // of a class initializer, the thread that runs it is parked
            double others = way.equals("native") ? 0 : report.heldSeconds("park");
            return report.heldSeconds(way) / (jvm.number("seconds") - others);
        }
    }
}
