package io.vtagent.bench;

import io.vtagent.bench.Processes.Outcome;
import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.program.ManyThreads;
import io.vtagent.bench.program.PinRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Curves of the cost: one for each JDK, as a chart that GitHub draws, and as a table. */
final class Curves {
    private static final int ROUNDS = 2;
    private static final List<Integer> PINS_PER_SECOND = List.of(0, 100, 1_000, 10_000);
    private static final List<Integer> THREADS = List.of(1_000, 10_000, 100_000, 1_000_000);
    private static final List<String> NATIVE_ACCESSORS =
            List.of(
                    "-Djdk.reflect.useNativeAccessorOnly=true",
                    "-Djdk.virtualThreadScheduler.parallelism=8");

    private final Arms arms;
    private final boolean quick;

    Curves(Arms arms, boolean quick) {
        this.arms = arms;
        this.quick = quick;
    }

    /** In Markdown. */
    String on(List<Jvm> jvms) {
        StringBuilder text = new StringBuilder();
        for (Jvm jvm : jvms) {
            text.append(pins(jvm)).append(threads(jvm));
        }
        return text.toString();
    }

    private String pins(Jvm jvm) {
        Curve curve =
                new Curve(
                        "JDK "
                                + jvm.version()
                                + ": pins a second, and percent of a processor that the agent adds",
                        "pins a second",
                        "percent of a processor");
        for (int rate : PINS_PER_SECOND) {
            curve.point(
                    rate,
                    pairs(
                            jvm,
                            new Program(PinRate.class, Integer.toString(rate)),
                            o -> o.printed("processorPercent")));
        }
        return curve.markdown("%.1f");
    }

    private String threads(Jvm jvm) {
        Curve curve =
                new Curve(
                        "JDK "
                                + jvm.version()
                                + ": virtual threads alive at once, and µs of a processor that the"
                                + " agent adds for each",
                        "virtual threads",
                        "µs of a processor");
        for (int threads : THREADS) {
            curve.point(
                    threads,
                    pairs(
                            jvm,
                            new Program(ManyThreads.class, Integer.toString(threads)),
                            o -> o.printed("processorMicrosPerThread")));
        }
        return curve.markdown("%.2f");
    }

    private Pairs pairs(Jvm jvm, Program program, ToDoubleFunction<Outcome> figure) {
        System.err.printf(
                "[curves] JDK %s, %s %s%n",
                jvm.version(), program.main().getSimpleName(), program.arguments().get(0));
        List<Arm> all =
                List.of(arms.empty().with(NATIVE_ACCESSORS), arms.quiet().with(NATIVE_ACCESSORS));
        return Processes.alternate(jvm, all, quick ? 1 : ROUNDS, program).pairs(0, 1, figure);
    }

    /** The differences at some points, and what it is without the agent. */
    private static final class Curve {
        private final String title;
        private final String x;
        private final String y;
        private final List<Integer> at = new ArrayList<>();
        private final List<Pairs> pairs = new ArrayList<>();

        Curve(String title, String x, String y) {
            this.title = title;
            this.x = x;
            this.y = y;
        }

        void point(int value, Pairs measured) {
            at.add(value);
            pairs.add(measured);
        }

        String markdown(String format) {
            List<String> values =
                    at.stream().map(value -> String.format(Locale.ROOT, "%,d", value)).toList();
            List<String> differences =
                    pairs.stream()
                            .map(
                                    pair ->
                                            String.format(
                                                    Locale.ROOT,
                                                    format,
                                                    pair.differences().median()))
                            .toList();
            StringBuilder text = new StringBuilder("```mermaid\nxychart-beta\n");
            text.append("    title \"").append(title).append("\"\n");
            text.append("    x-axis \"").append(x).append("\" [\"");
            text.append(String.join("\", \"", values)).append("\"]\n");
            text.append("    y-axis \"").append(y).append("\"\n");
            text.append("    line [").append(String.join(", ", differences)).append("]\n```\n\n");
            text.append("| ")
                    .append(x)
                    .append(" | ")
                    .append(String.join(" | ", values))
                    .append(" |\n");
            text.append("|---".repeat(at.size() + 1)).append("|\n");
            text.append("| with an agent that does nothing, ").append(y).append(" |");
            pairs.forEach(
                    pair ->
                            text.append(
                                    String.format(
                                            Locale.ROOT,
                                            " " + format + " |",
                                            Pairs.median(pair.without()))));
            text.append("\n| vt-agent, more |");
            pairs.forEach(
                    pair ->
                            text.append(' ')
                                    .append(pair.differences().text("%+" + format.substring(1), ""))
                                    .append(" |"));
            return text.append("\n\n").toString();
        }
    }
}
