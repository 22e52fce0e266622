package io.vtagent.bench;

import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Processes.Rounds;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.program.BusyCarriers;
import io.vtagent.bench.program.Idle;
import io.vtagent.bench.program.ManyWaiting;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The CPU time of the agent's own threads while nothing is held. */
final class WatchRows {
    /**
     * Until the scheduler has let its last carrier go: the delay's probe stops after 30 s, and the
     * carrier after 30 s more.
     */
    private static final String SETTLE_SECONDS = "70";

    private static final String SECONDS = "30";

    /** JVMs of each kind, beside each other: they differ by as much as the limit. */
    private static final int IDLE_ROUNDS = 4;

    private static final double MAX_BUSY_PERCENT = 0.3;
    private static final List<String> TWO_CARRIERS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=2");

    private static final int THREADS_PORT = 21_488;
    private static final String MANY = "1000000";
    private static final double MAX_THREADS_SECONDS = 2;
    private static final double MAX_THREADS_MEBIBYTES = 50;

    private static final List<String> HOW = List.of("ticks", "once", "none");

    private final List<Jvm> jvms;
    private final Arms arms;
    private final boolean quick;
    private final Map<Jvm, List<Rounds>> idle = new HashMap<>();

    /**
     * @param jvms those whose idle programs run at the same time
     */
    WatchRows(List<Jvm> jvms, Arms arms, boolean quick) {
        this.jvms = jvms;
        this.arms = arms;
        this.quick = quick;
    }

    List<Row> all() {
        return List.of(
                new Row(
                        "a short virtual thread every 20 ms",
                        "at most +0.5 % of a processor",
                        jvm -> idle(jvm, "ticks", 0.5)),
                new Row(
                        "no virtual thread since the first",
                        "at most +0.1 % of a processor",
                        jvm -> idle(jvm, "once", 0.1)),
                new Row(
                        "no virtual thread",
                        "at most +0.1 % of a processor",
                        jvm -> idle(jvm, "none", 0.1)),
                new Row(
                        "two virtual threads that compute without a pause: the agent's threads",
                        "at most 0.3 % of a processor",
                        this::busy),
                new Row(
                        "`/api/threads` of 1,000,000 waiting virtual threads",
                        "at most 2 s, 50 MiB",
                        this::threads));
    }

    private Measured idle(Jvm jvm, String how, double mostPercent) {
        if (idle.isEmpty()) {
            idle.putAll(idle());
        }
        Pairs pairs =
                Objects.requireNonNull(idle.get(jvm))
                        .get(HOW.indexOf(how))
                        .pairs(0, 1, outcome -> outcome.printed("processorPercent"));
        Pairs.Summary more = pairs.differences();
        String text =
                more.text("%+.2f", " %%")
                        + String.format(
                                Locale.ROOT, "; %.2f %% without", Pairs.median(pairs.without()));
        return new Measured(text, more.atMost(mostPercent));
    }

    private Map<Jvm, List<Rounds>> idle() {
        String settle = quick ? "3" : SETTLE_SECONDS;
        List<Program> programs =
                HOW.stream()
                        .map(how -> new Program(Idle.class, how, settle, quick ? "3" : SECONDS))
                        .toList();
        return Processes.together(
                jvms, List.of(arms.none(), arms.quiet()), quick ? 1 : IDLE_ROUNDS, programs);
    }

    private Measured busy(Jvm jvm) {
        Arm arm = arms.quiet().with(TWO_CARRIERS);
        double percent =
                Processes.alternate(jvm, List.of(arm), 1, new Program(BusyCarriers.class, "2"))
                        .figures(0, outcome -> outcome.printed("agentPercent"))
                        .get(0);
        return new Measured(
                String.format(Locale.ROOT, "%.2f %%", percent), percent <= MAX_BUSY_PERCENT);
    }

    private Measured threads(Jvm jvm) {
        Arm arm = arms.agentAt(THREADS_PORT, "report=off", "log=error").with(List.of("-Xmx3g"));
        Rounds rounds =
                Processes.alternate(
                        jvm,
                        List.of(arm),
                        1,
                        new Program(ManyWaiting.class, MANY, Integer.toString(THREADS_PORT)));
        double seconds = Pairs.median(rounds.figures(0, outcome -> outcome.printed("seconds")));
        double mebibytes = Pairs.median(rounds.figures(0, outcome -> outcome.printed("mebibytes")));
        return new Measured(
                String.format(Locale.ROOT, "%.2f s, heap +%.0f MiB", seconds, mebibytes),
                seconds <= MAX_THREADS_SECONDS && mebibytes <= MAX_THREADS_MEBIBYTES);
    }
}
