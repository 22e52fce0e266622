package io.vtagent.bench;

import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Processes.Rounds;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.Row.Verdict;
import io.vtagent.bench.program.ClassLoading;
import io.vtagent.bench.program.Hello;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The cost of starting a JVM with the agent, and the memory of that JVM. */
final class StartRows {
    private static final int ROUNDS = 7;
    private static final double MAX_SECONDS = 0.10;
    private static final double MAX_SECONDS_ABOVE_PEER = 0.02;
    private static final double MAX_PROCESSOR_SECONDS_ABOVE_PEER = 0.06;
    private static final double MAX_MICROS_PER_CLASS = 10;
    private static final double MAX_MEBIBYTES = 12;

    private static final String HELLO = "\"hello world\"";
    private static final String FIRST_THREAD = HELLO + " on a virtual thread, ";

    private static final int ROUNDS_WITHOUT_AGENT = 2;

    private static final int NONE = 0;
    private static final int AGENT_OF_HELLO = 1;
    private static final int PEER = 2;
    private static final int TRANSFORMER = 1;
    private static final int AGENT = 2;

    private final Arms arms;
    private final Services services;
    private final boolean quick;
    private final Map<Jvm, Rounds> firstThreads = new HashMap<>();
    private final Map<Jvm, Rounds> loadings = new HashMap<>();
    private final Map<Jvm, List<List<Services.Begun>>> starts = new HashMap<>();

    StartRows(Arms arms, Services services, boolean quick) {
        this.arms = arms;
        this.services = services;
        this.quick = quick;
    }

    List<Row> all() {
        List<Row> all = new ArrayList<>();
        all.add(
                new Row(
                        HELLO + ", start to end",
                        "at most +0.10 s",
                        jvm -> hello(jvm, arms.agent(), MAX_SECONDS)));
        for (Arm peer : arms.peers()) {
            all.add(
                    new Row(
                            HELLO + " with another agent: " + peer.name(),
                            "",
                            jvm -> hello(jvm, peer, Double.MAX_VALUE)));
        }
        all.add(
                new Row(
                        FIRST_THREAD + "start to end",
                        "at most JaCoCo's +0.02 s",
                        jvm ->
                                firstThread(
                                        jvm, Processes.Outcome::seconds, MAX_SECONDS_ABOVE_PEER)));
        all.add(
                new Row(
                        FIRST_THREAD + "processor",
                        "at most JaCoCo's +0.06 s",
                        jvm ->
                                firstThread(
                                        jvm,
                                        Processes.Outcome::processorSeconds,
                                        MAX_PROCESSOR_SECONDS_ABOVE_PEER)));
        all.add(
                new Row(
                        "a library's class, loaded, above a transformer that does nothing",
                        "at most +10 µs on 21",
                        this::classLoading));
        String service = "a service of Spring Boot, ";
        String ratio = "at most 1.05 of a transformer's that does nothing on 21, 1.03 on 25";
        all.add(
                new Row(
                        service + "start, wall",
                        ratio,
                        jvm -> start(jvm, Services.Begun::wallSeconds)));
        all.add(
                new Row(
                        service + "start, processor",
                        ratio,
                        jvm -> start(jvm, Services.Begun::processorSeconds)));
        all.add(
                new Row(
                        service + "resident memory after the start",
                        "at most +12 MiB above it",
                        this::resident));
        return all;
    }

    private Measured hello(Jvm jvm, Arm arm, double limitSeconds) {
        Pairs.Summary summary =
                Processes.alternate(
                                jvm,
                                List.of(arms.none(), arm),
                                quick ? 1 : ROUNDS,
                                new Program(Hello.class))
                        .pairs(0, 1, Processes.Outcome::seconds)
                        .differences();
        return new Measured(summary.text("%+.2f", " s"), summary.atMost(limitSeconds));
    }

    private Measured firstThread(
            Jvm jvm, ToDoubleFunction<Processes.Outcome> figure, double limitSeconds) {
        Rounds rounds = firstThreads.computeIfAbsent(jvm, this::firstThreads);
        Pairs.Summary above = rounds.pairs(PEER, AGENT_OF_HELLO, figure).differences();
        String text =
                rounds.pairs(NONE, AGENT_OF_HELLO, figure).differences().text("%+.2f", " s")
                        + "; above JaCoCo "
                        + above.text("%+.2f", " s");
        return new Measured(text, above.atMost(limitSeconds));
    }

    private Rounds firstThreads(Jvm jvm) {
        return Processes.alternate(
                jvm,
                List.of(arms.none(), arms.agent(), arms.jacoco()),
                quick ? 1 : ROUNDS,
                new Program(Hello.class, "virtual"));
    }

    private Measured classLoading(Jvm jvm) {
        Pairs.Summary summary =
                loading(jvm).pairs(TRANSFORMER, AGENT, StartRows::microsPerClass).differences();
        String medians =
                IntStream.of(NONE, TRANSFORMER, AGENT)
                        .mapToObj(
                                arm ->
                                        String.format(
                                                Locale.ROOT,
                                                "%.0f",
                                                Pairs.median(
                                                        loading(jvm)
                                                                .figures(
                                                                        arm,
                                                                        StartRows
                                                                                ::microsPerClass))))
                        .collect(Collectors.joining(", "));
        String text =
                summary.text("%+.1f", " µs")
                        + "; "
                        + medians
                        + " µs without, with a transformer, with vt-agent";
        return new Measured(
                text,
                jvm.feature() > Jvm.LAST_WHERE_MONITORS_PIN
                        ? Verdict.MET
                        : summary.atMost(MAX_MICROS_PER_CLASS));
    }

    private static double microsPerClass(Processes.Outcome outcome) {
        return outcome.printed("microsPerClass");
    }

    private Rounds loading(Jvm jvm) {
        return loadings.computeIfAbsent(jvm, this::loadings);
    }

    private Rounds loadings(Jvm jvm) {
        return Processes.alternate(
                jvm,
                List.of(arms.none(), arms.transformer(), arms.quiet()),
                quick ? 1 : ROUNDS,
                new Program(ClassLoading.class));
    }

    private Measured start(Jvm jvm, ToDoubleFunction<Services.Begun> figure) {
        Pairs.Summary summary = started(jvm, figure).ratios();
        double limit = jvm.feature() > Jvm.LAST_WHERE_MONITORS_PIN ? 1.03 : 1.05;
        double plain = Pairs.median(figures(jvm, NONE, figure));
        String text =
                summary.text("%.3f", "")
                        + String.format(Locale.ROOT, "; %.2f s without an agent", plain);
        return new Measured(text, summary.atMost(limit));
    }

    private Measured resident(Jvm jvm) {
        Pairs.Summary summary = started(jvm, Services.Begun::residentMebibytes).differences();
        double plain = Pairs.median(figures(jvm, NONE, Services.Begun::residentMebibytes));
        String text =
                summary.text("%+.0f", " MiB")
                        + String.format(Locale.ROOT, "; %.0f MiB without an agent", plain);
        return new Measured(text, summary.atMost(MAX_MEBIBYTES));
    }

    private Pairs started(Jvm jvm, ToDoubleFunction<Services.Begun> figure) {
        return new Pairs(figures(jvm, TRANSFORMER, figure), figures(jvm, AGENT, figure));
    }

    private List<Double> figures(Jvm jvm, int arm, ToDoubleFunction<Services.Begun> figure) {
        return starts.computeIfAbsent(jvm, this::starts).get(arm).stream()
                .map(figure::applyAsDouble)
                .toList();
    }

    /** In the order of the arms. Only the other two are compared with each other. */
    private List<List<Services.Begun>> starts(Jvm jvm) {
        List<List<Services.Begun>> all = new ArrayList<>();
        all.addAll(services.starts(jvm, List.of(arms.none()), quick ? 1 : ROUNDS_WITHOUT_AGENT));
        all.addAll(
                services.starts(
                        jvm, List.of(arms.transformer(), arms.quiet()), quick ? 1 : ROUNDS));
        return all;
    }
}
