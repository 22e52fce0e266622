package io.vtagent.bench;

import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.program.Sleepers;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The effect of relief on a scheduler that is always held. */
final class ReliefRows {
    /** The result is far from the target, and rounds differ by a hundredth or two. */
    private static final int ROUNDS = 1;

    private static final String PLATFORM_SETTLE_SECONDS = "2";

    /** By then the JIT compilers are through with most of it. */
    private static final String VIRTUAL_SETTLE_SECONDS = "12";

    private static final double MIN = 0.8;
    private static final List<String> MANY_CARRIERS =
            List.of(
                    "-Djdk.reflect.useNativeAccessorOnly=true",
                    "-Djdk.virtualThreadScheduler.maxPoolSize=1024");

    private static final List<String> PARALLEL =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1024");

    private final Arms arms;
    private final boolean quick;
    private final Map<Jvm, List<Double>> platformTasks = new HashMap<>();

    ReliefRows(Arms arms, boolean quick) {
        this.arms = arms;
        this.quick = quick;
    }

    List<Row> all() {
        String tasks = "tasks that are pinned for 10 ms, 1,024 carriers, after 12 s";
        return List.of(
                new Row(
                        "`relief=on`, " + tasks,
                        "at least 80 % of what 1,024 platform threads do",
                        jvm ->
                                ratio(
                                        jvm,
                                        arms.agent("report=off", "log=error", "relief=on")
                                                .with(MANY_CARRIERS),
                                        MIN)),
                new Row(
                        "the same without an agent, of a scheduler that has 1,024 carriers from the"
                                + " start",
                        "",
                        jvm -> ratio(jvm, arms.none().with(PARALLEL).with(MANY_CARRIERS), 0)));
    }

    private Measured ratio(Jvm jvm, Arm arm, double least) {
        List<Double> platform =
                platformTasks.computeIfAbsent(
                        jvm, on -> tasks(on, arms.none(), "platform", PLATFORM_SETTLE_SECONDS));
        Pairs.Summary summary =
                new Pairs(platform, tasks(jvm, arm, "virtual", VIRTUAL_SETTLE_SECONDS)).ratios();
        String text =
                summary.text("%.2f", "")
                        + String.format(
                                Locale.ROOT,
                                "; %,.0f tasks/s of platform threads",
                                Pairs.median(platform));
        return new Measured(text, summary.atLeast(least));
    }

    private List<Double> tasks(Jvm jvm, Arm arm, String threads, String settleSeconds) {
        Program program = new Program(Sleepers.class, threads, quick ? "2" : settleSeconds);
        return Processes.alternate(jvm, List.of(arm), quick ? 1 : ROUNDS, program)
                .figures(0, outcome -> outcome.printed("tasksPerSecond"));
    }
}
