package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import java.util.List;

/** The throughput of threads that contend for a monitor. */
final class MonitorRows {
    /** Which thread gets a contended monitor next is random. */
    private static final int ROUNDS = 3;

    private static final double MIN_CONTENDED = 0.95;

    private final Forks forks;
    private final Arms arms;

    MonitorRows(Forks forks, Arms arms) {
        this.forks = forks;
        this.arms = arms;
    }

    List<Row> all() {
        return List.of(
                new Row(
                        "contended `synchronized`, virtual threads, throughput",
                        "at least " + MIN_CONTENDED,
                        jvm -> ratio(jvm, "HeldBenchmark.contended", MIN_CONTENDED)),
                new Row(
                        "`wait` and `notify`, there and back, virtual threads, throughput",
                        "",
                        jvm -> ratio(jvm, "HeldBenchmark.waitAndNotify", 0)));
    }

    /** The JVM's own price for an agent is not ours. */
    private Measured ratio(Jvm jvm, String benchmark, double least) {
        List<List<Double>> scores =
                forks.alternate(jvm, benchmark, List.of(arms.empty(), arms.quiet()), ROUNDS);
        Pairs.Summary summary = new Pairs(scores.get(0), scores.get(1)).ratios();
        return new Measured(
                summary.text("%.3f", "") + " of an empty agent's", summary.atLeast(least));
    }
}
