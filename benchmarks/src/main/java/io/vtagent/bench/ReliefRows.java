package io.vtagent.bench;

import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.program.Sleepers;
import java.util.List;
import java.util.Locale;

/** What relief makes of a scheduler that is always held. */
final class ReliefRows {
    private static final int ROUNDS = 2;
    private static final double LEAST = 0.8;
    private static final List<String> MANY_CARRIERS =
            List.of("-Djdk.reflect.useNativeAccessorOnly=true", "-Djdk.virtualThreadScheduler.maxPoolSize=1024");

    private final Arms arms;
    private final boolean quick;

    ReliefRows(Arms arms, boolean quick) {
        this.arms = arms;
        this.quick = quick;
    }

    List<Row> all() {
        return List.of(new Row(
                "`relief=on`, tasks that are pinned for 10 ms, 1,024 carriers",
                "at least 80 % of what 1,024 platform threads do",
                this::relief));
    }

    private Measured relief(Jvm jvm) {
        int rounds = quick ? 1 : ROUNDS;
        Arm on = arms.agent("report=off", "log=error", "relief=on").with(MANY_CARRIERS);
        List<Double> platform = tasks(jvm, arms.none(), rounds, "platform");
        List<Double> virtual = tasks(jvm, on, rounds, "virtual");
        Pairs.Summary summary = new Pairs(platform, virtual).ratios();
        String text = summary.text("%.2f", "")
                + String.format(Locale.ROOT, "; %,.0f tasks/s of platform threads", Pairs.median(platform));
        return new Measured(text, summary.median() >= LEAST);
    }

    private static List<Double> tasks(Jvm jvm, Arm arm, int rounds, String threads) {
        return Processes.alternate(jvm, List.of(arm), rounds, new Program(Sleepers.class, threads))
                .figures(0, outcome -> outcome.printed("tasksPerSecond"));
    }
}
