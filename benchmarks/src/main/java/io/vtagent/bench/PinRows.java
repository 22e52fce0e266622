package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The cost of recording a pin. */
final class PinRows {
    private static final int ROUNDS = 3;
    private static final double MAX_NANOS = 300;
    private static final double MAX_MICROS_WITH_STACK = 10;
    private static final double NANOS_PER_MICRO = 1_000;

    private static final int NONE = 0;
    private static final int EMPTY = 1;
    private static final int AGENT = 2;

    private final Forks forks;
    private final Arms arms;

    PinRows(Forks forks, Arms arms) {
        this.forks = forks;
        this.arms = arms;
    }

    List<Row> all() {
        Map<Jvm, List<List<Double>>> parks = new HashMap<>();
        Function<Jvm, List<List<Double>>> park =
                jvm ->
                        parks.computeIfAbsent(
                                jvm,
                                on ->
                                        forks.alternate(
                                                on,
                                                "PinBenchmark.park",
                                                List.of(arms.none(), arms.empty(), arms.quiet()),
                                                ROUNDS));
        return List.of(
                Row.settled(
                        "one pin, no stack: the probe alone",
                        "at most 300 ns, 0 B",
                        this::withoutStack),
                Row.settled(
                        "one pin, no stack: a pinned `park`",
                        "at most +300 ns",
                        jvm -> park(park.apply(jvm), NONE)),
                Row.settled(
                        "the same above that with an agent that does nothing",
                        "at most +300 ns",
                        jvm -> park(park.apply(jvm), EMPTY)),
                new Row(
                        "one pin with its stack, warm, 50 frames",
                        "at most 10 µs",
                        this::withStack));
    }

    private Measured withoutStack(Jvm jvm) {
        Forks.Cost cost =
                forks.cost(
                        jvm,
                        "PinBenchmark.withoutStack",
                        arms.agent("report=off", "stack-threshold=1h"),
                        ROUNDS);
        String text = String.format(Locale.ROOT, "%.0f ns, %.1f B", cost.score(), cost.bytes());
        return new Measured(text, cost.score() <= MAX_NANOS && cost.bytes() < 0.1);
    }

    private static Measured park(List<List<Double>> scores, int without) {
        Pairs.Summary summary = new Pairs(scores.get(without), scores.get(AGENT)).differences();
        return new Measured(summary.text("%+.0f", " ns"), summary.atMost(MAX_NANOS));
    }

    private Measured withStack(Jvm jvm) {
        double micros =
                forks.cost(
                                        jvm,
                                        "PinBenchmark.withStack",
                                        arms.agent("report=off", "stack-threshold=0ms"),
                                        ROUNDS)
                                .score()
                        / NANOS_PER_MICRO;
        return new Measured(
                String.format(Locale.ROOT, "%.1f µs", micros), micros <= MAX_MICROS_WITH_STACK);
    }
}
