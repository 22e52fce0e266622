package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What it costs that a virtual thread leaves its carrier to another one. */
final class SwitchRows {
    private static final double LEAST = 0.99;
    private static final int ROUNDS = 4;
    private static final int FEW_ROUNDS = 3;
    private static final double NANOS_PER_MICRO = 1_000;

    /** Where nothing pins, relief is not to be felt. */
    private static final double MOST_PERCENT_OF_A_YIELD = 2;

    private static final int NONE = 0;
    private static final int EMPTY = 1;
    private static final int AGENT = 2;
    private static final int UNTOLD = 3;

    private final Forks forks;
    private final Arms arms;

    SwitchRows(Forks forks, Arms arms) {
        this.forks = forks;
        this.arms = arms;
    }

    List<Row> all() {
        List<Row> all = new ArrayList<>();
        all.addAll(throughput("`Thread.yield`", "SwitchBenchmark.yieldCarrier", ROUNDS));
        all.addAll(throughput("`park` and `unpark`, there and back", "SwitchBenchmark.parkAndUnpark", FEW_ROUNDS));
        all.add(new Row(
                "one unmount under `relief=on`, where nothing pins: the probe alone",
                "at most 2 % of a `Thread.yield` without an agent",
                this::unmount));
        return all;
    }

    /** Three lines: the JVM has a price for any agent, unless it is told not to have one. */
    private List<Row> throughput(String what, String benchmark, int rounds) {
        Map<Jvm, List<List<Double>>> measured = new HashMap<>();
        Function<Jvm, List<List<Double>>> measure = jvm -> measured.computeIfAbsent(
                jvm,
                on -> forks.alternate(
                        on, benchmark, List.of(arms.none(), arms.empty(), arms.quiet(), arms.untold()), rounds));
        String line = what + ", throughput, ";
        return List.of(
                new Row(
                        line + "of that with an agent that does nothing",
                        "at least " + LEAST,
                        jvm -> ratio(measure.apply(jvm), EMPTY, AGENT, LEAST)),
                new Row(
                        line + "under `-XX:-DoJVMTIVirtualThreadTransitions`, of that without an agent",
                        "at least " + LEAST,
                        jvm -> ratio(measure.apply(jvm), NONE, UNTOLD, LEAST)),
                new Row(
                        line + "an agent that does nothing, of that without an agent",
                        "",
                        jvm -> ratio(measure.apply(jvm), NONE, EMPTY, 0)));
    }

    private static Measured ratio(List<List<Double>> scores, int without, int with, double least) {
        Pairs.Summary summary = new Pairs(scores.get(without), scores.get(with)).ratios();
        return new Measured(summary.text("%.3f", ""), summary.median() >= least);
    }

    private Measured unmount(Jvm jvm) {
        double nanos = forks.cost(jvm, "PinBenchmark.unmounted", arms.agent("report=off", "relief=on"), FEW_ROUNDS)
                .score();
        double yieldNanos = NANOS_PER_MICRO
                / Pairs.median(forks.alternate(jvm, "SwitchBenchmark.yieldCarrier", List.of(arms.none()), FEW_ROUNDS)
                        .get(0));
        double percent = 100 * nanos / yieldNanos;
        String text = String.format(Locale.ROOT, "%.1f ns: %.1f %% of %.0f ns", nanos, percent, yieldNanos);
        return new Measured(text, percent <= MOST_PERCENT_OF_A_YIELD);
    }
}
