package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.Row.Verdict;
import io.vtagent.bench.program.ClassLoading;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of a monitor, contended or not. */
final class MonitorRows {
    private static final List<String> VIRTUAL =
            List.of("-Djmh.executor=VIRTUAL", "-Djdk.virtualThreadScheduler.parallelism=1");
    private static final int ROUNDS = 3;

    /** Which thread gets a contended monitor next is random. */
    private static final int CONTENDED_ROUNDS = 3;

    private static final double MIN_CONTENDED = 0.95;

    private final Forks forks;
    private final Arms arms;
    private final Map<Jvm, Boolean> wraps = new HashMap<>();

    MonitorRows(Forks forks, Arms arms) {
        this.forks = forks;
        this.arms = arms;
    }

    List<Row> all() {
        return List.of(
                uncontended(
                        "`synchronized` block, uncontended, platform thread",
                        "block",
                        List.of(),
                        0.5),
                uncontended(
                        "`synchronized` method, uncontended, platform thread",
                        "method",
                        List.of(),
                        0.5),
                uncontended(
                        "`synchronized` block, uncontended, virtual thread", "block", VIRTUAL, 2),
                uncontended(
                        "`synchronized` method, uncontended, virtual thread", "method", VIRTUAL, 2),
                new Row(
                        "contended `synchronized`, virtual threads, throughput",
                        "at least " + MIN_CONTENDED,
                        jvm -> ratio(jvm, "HeldBenchmark.contended", MIN_CONTENDED)),
                new Row(
                        "`wait` and `notify`, there and back, virtual threads, throughput",
                        "",
                        jvm -> ratio(jvm, "HeldBenchmark.waitAndNotify", 0)));
    }

    private Row uncontended(String what, String benchmark, List<String> thread, double limitNanos) {
        String target =
                String.format(Locale.ROOT, "at most +%.1f ns on 21, not wrapped on 25", limitNanos);
        return new Row(
                what,
                target,
                jvm -> {
                    List<List<Double>> scores =
                            forks.alternate(
                                    jvm,
                                    "MonitorBenchmark." + benchmark,
                                    List.of(arms.none().with(thread), arms.quiet().with(thread)),
                                    ROUNDS);
                    Pairs.Summary summary = new Pairs(scores.get(0), scores.get(1)).differences();
                    boolean wrapped = wraps.computeIfAbsent(jvm, this::wraps);
                    return new Measured(
                            summary.text("%+.2f", " ns") + (wrapped ? "" : ", not wrapped"),
                            wrapped ? summary.atMost(limitNanos) : Verdict.MET);
                });
    }

    private boolean wraps(Jvm jvm) {
        return Processes.alternate(
                                jvm,
                                List.of(arms.quiet()),
                                1,
                                new Processes.Program(ClassLoading.class))
                        .figures(0, outcome -> outcome.printed("wrapped"))
                        .get(0)
                > 0;
    }

    /** The JVM's own price for an agent is not ours. */
    private Measured ratio(Jvm jvm, String benchmark, double least) {
        List<List<Double>> scores =
                forks.alternate(
                        jvm, benchmark, List.of(arms.empty(), arms.quiet()), CONTENDED_ROUNDS);
        Pairs.Summary summary = new Pairs(scores.get(0), scores.get(1)).ratios();
        return new Measured(
                summary.text("%.3f", "") + " of an empty agent's", summary.atLeast(least));
    }
}
