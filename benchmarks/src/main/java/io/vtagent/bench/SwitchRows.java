package io.vtagent.bench;

import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Processes.Rounds;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.program.Attached;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The cost of a switch from one virtual thread to another one. */
final class SwitchRows {
    private static final String OF_EMPTY = "of that with an agent that does nothing";
    private static final double MIN = 0.99;
    private static final int ROUNDS = 3;
    private static final int ATTACHED_ROUNDS = 2;
    private static final double NANOS_PER_MICRO = 1_000;

    /** Without pins, relief costs no more than this. */
    private static final double MAX_PERCENT_OF_A_YIELD = 2;

    private static final int NONE = 0;
    private static final int EMPTY = 1;
    private static final int AGENT = 2;
    private static final int WITHOUT_MOUNT_EVENTS = 3;

    /**
     * On JDK 21 each class that is loaded beside a transformer stops the threads that switch, also
     * the agent's own classes.
     */
    private static final int WARM_UP_MILLIS = 3_000;

    private static final String SETTLE_SECONDS = "2";
    private static final String SECONDS = "2";

    private final Forks forks;
    private final Forks settled;
    private final Arms arms;
    private final boolean quick;
    private final Map<Jvm, List<List<Double>>> yields = new HashMap<>();

    SwitchRows(Forks forks, Arms arms, boolean quick) {
        this.forks = forks;
        settled = forks.after(WARM_UP_MILLIS);
        this.arms = arms;
        this.quick = quick;
    }

    List<Row> all() {
        List<Row> all = new ArrayList<>();
        all.addAll(yields());
        all.addAll(attached());
        all.add(
                new Row(
                        "`park` and `unpark`, there and back, throughput, " + OF_EMPTY,
                        "at least " + MIN,
                        this::parks));
        all.add(
                Row.settled(
                        "one unmount under `relief=on`, where nothing pins: the probe alone",
                        "at most 2 % of a `Thread.yield` without an agent",
                        this::unmount));
        return all;
    }

    /** The JVM's own cost of having any agent can be switched off. */
    private List<Row> yields() {
        String line = "`Thread.yield`, throughput, ";
        return List.of(
                new Row(
                        line + OF_EMPTY,
                        "at least " + MIN,
                        jvm -> ratio(yields(jvm), EMPTY, AGENT, MIN)),
                new Row(
                        line
                                + "under `-XX:-DoJVMTIVirtualThreadTransitions`, of that without an"
                                + " agent",
                        "at least " + MIN,
                        jvm -> ratio(yields(jvm), NONE, WITHOUT_MOUNT_EVENTS, MIN)),
                new Row(
                        line + "an agent that does nothing, of that without an agent",
                        "",
                        jvm -> ratio(yields(jvm), NONE, EMPTY, 0)));
    }

    private List<List<Double>> yields(Jvm jvm) {
        return yields.computeIfAbsent(
                jvm,
                on ->
                        settled.alternate(
                                on,
                                "SwitchBenchmark.yieldCarrier",
                                List.of(
                                        arms.none(),
                                        arms.empty(),
                                        arms.quiet(),
                                        arms.withoutMountEvents()),
                                ROUNDS));
    }

    private Measured parks(Jvm jvm) {
        List<List<Double>> scores =
                settled.alternate(
                        jvm,
                        "SwitchBenchmark.parkAndUnpark",
                        List.of(arms.empty(), arms.quiet()),
                        ROUNDS);
        return ratio(scores, 0, 1, MIN);
    }

    /**
     * In a JVM that an agent is attached to while it runs: what it leaves of what was before, and
     * what is left when it is gone.
     */
    private List<Row> attached() {
        Map<Jvm, List<Rounds>> measured = new HashMap<>();
        Function<Jvm, List<Rounds>> measure =
                jvm ->
                        measured.computeIfAbsent(
                                jvm,
                                on ->
                                        List.of(
                                                attached(on, arms.attached()),
                                                attached(on, arms.attachedEmpty())));
        String line = "`Thread.yield`, throughput, ";
        return List.of(
                new Row(
                        line + "attached while it ran, of that before",
                        "",
                        jvm -> left(measure.apply(jvm).get(0), "attached")),
                new Row(
                        line + "detached again, of that before",
                        "",
                        jvm -> left(measure.apply(jvm).get(0), "detached")),
                new Row(
                        line + "an agent that does nothing, attached while it ran, of that before",
                        "",
                        jvm -> left(measure.apply(jvm).get(1), "attached")));
    }

    private Rounds attached(Jvm jvm, List<String> agent) {
        List<String> arguments =
                new ArrayList<>(quick ? List.of("2", "1") : List.of(SETTLE_SECONDS, SECONDS));
        arguments.addAll(agent);
        return Processes.alternate(
                jvm,
                List.of(arms.none()),
                quick ? 1 : ATTACHED_ROUNDS,
                new Program(Attached.class, arguments));
    }

    private static Measured left(Rounds rounds, String what) {
        Pairs pairs =
                new Pairs(
                        rounds.figures(0, outcome -> outcome.printed("before")),
                        rounds.figures(0, outcome -> outcome.printed(what)));
        return new Measured(
                String.format(
                        Locale.ROOT,
                        "%s; %.1f million a second before",
                        pairs.ratios().text("%.3f", ""),
                        Pairs.median(pairs.without())),
                true);
    }

    private static Measured ratio(List<List<Double>> scores, int without, int with, double least) {
        Pairs.Summary summary = new Pairs(scores.get(without), scores.get(with)).ratios();
        return new Measured(summary.text("%.3f", ""), summary.atLeast(least));
    }

    private Measured unmount(Jvm jvm) {
        double nanos =
                forks.cost(
                                jvm,
                                "PinBenchmark.unmounted",
                                arms.agent("report=off", "relief=on"),
                                ROUNDS)
                        .score();
        double yieldNanos = NANOS_PER_MICRO / Pairs.median(yields(jvm).get(NONE));
        double percent = 100 * nanos / yieldNanos;
        String text =
                String.format(
                        Locale.ROOT, "%.1f ns: %.1f %% of %.0f ns", nanos, percent, yieldNanos);
        return new Measured(text, percent <= MAX_PERCENT_OF_A_YIELD);
    }
}
