package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.Services.Running;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The throughput of a service that keeps both CPUs busy, with the agent. Two services, one with a
 * no-op transformer and one with the agent, run beside each other. They get load for 45 s at the
 * same time, and then by turns, for some seconds each. The median turn of several such pairs
 * counts, because JVMs that were started alike differ by some percent for as long as they live.
 */
final class LoadRows {
    private static final int SERVICES = 2;
    private static final int WARM_UP_SECONDS = 45;
    private static final int TURNS = 4;
    private static final int PINNED_WARM_UP_SECONDS = 5;
    private static final int PINNED_TURNS = 4;
    private static final int TURN_SECONDS = 2;
    private static final double MIN_THROUGHPUT = 0.98;
    private static final double MAX_P99 = 1.03;
    private static final double MIN_PINNED_THROUGHPUT = 0.97;
    private static final double MICROS = 1e6;

    private static final String ARTICLE = "/article/7";
    private static final String PINNED = "/pinned/7";

    private final Arms arms;
    private final Services services;
    private final boolean quick;
    private final Map<Jvm, Turns> measured = new HashMap<>();

    LoadRows(Arms arms, Services services, boolean quick) {
        this.arms = arms;
        this.services = services;
        this.quick = quick;
    }

    /** The result of one turn. */
    private record Turn(
            double requestsPerSecond, double p99Micros, double processorMicrosPerRequest) {}

    private record Turns(Two plain, Two pinned) {}

    /** The turns of both. */
    private record Two(List<Turn> without, List<Turn> with) {
        Pairs pairs(ToDoubleFunction<Turn> figure) {
            return new Pairs(figures(without, figure), figures(with, figure));
        }

        private static List<Double> figures(List<Turn> turns, ToDoubleFunction<Turn> figure) {
            return turns.stream().map(figure::applyAsDouble).toList();
        }
    }

    List<Row> all() {
        String service = "the service, 32 connections, both processors busy, after 45 s of load: ";
        return List.of(
                new Row(
                        service + "requests",
                        "at least 0.98",
                        jvm -> ratio(jvm, Turn::requestsPerSecond, "%,.0f/s", MIN_THROUGHPUT)),
                new Row(service + "p99", "at most 1.03", this::p99),
                new Row(
                        service + "processor a request",
                        "",
                        jvm -> ratio(jvm, Turn::processorMicrosPerRequest, "%.1f µs", 0)),
                new Row(
                        "the same with a pin of some 80 µs in every request: requests",
                        "at least 0.97",
                        this::pinned));
    }

    private Measured ratio(Jvm jvm, ToDoubleFunction<Turn> figure, String format, double least) {
        Pairs pairs = turns(jvm).plain().pairs(figure);
        return new Measured(text(pairs, format), pairs.ratios().atLeast(least));
    }

    private Measured p99(Jvm jvm) {
        Pairs pairs = turns(jvm).plain().pairs(Turn::p99Micros);
        return new Measured(text(pairs, "%,.0f µs"), pairs.ratios().atMost(MAX_P99));
    }

    private Measured pinned(Jvm jvm) {
        Pairs pairs = turns(jvm).pinned().pairs(Turn::requestsPerSecond);
        return new Measured(text(pairs, "%,.0f/s"), pairs.ratios().atLeast(MIN_PINNED_THROUGHPUT));
    }

    private static String text(Pairs pairs, String format) {
        return pairs.ratios().text("%.3f", "")
                + String.format(
                        Locale.ROOT, "; " + format + " without", Pairs.median(pairs.without()));
    }

    private Turns turns(Jvm jvm) {
        return measured.computeIfAbsent(jvm, this::measure);
    }

    private Turns measure(Jvm jvm) {
        Turns all =
                new Turns(
                        new Two(new ArrayList<>(), new ArrayList<>()),
                        new Two(new ArrayList<>(), new ArrayList<>()));
        for (int i = 0; i < (quick ? 1 : SERVICES); i++) {
            try (LoadGenerator load = LoadGenerator.start();
                    LoadGenerator other = LoadGenerator.start();
                    Running without = services.start(jvm, arms.transformer());
                    Running with = services.start(jvm, arms.quiet())) {
                warmUp(load, other, without, with, ARTICLE, quick ? 1 : WARM_UP_SECONDS);
                take(load, without, with, ARTICLE, quick ? 1 : TURNS, all.plain());
                warmUp(load, other, without, with, PINNED, quick ? 1 : PINNED_WARM_UP_SECONDS);
                take(load, without, with, PINNED, quick ? 1 : PINNED_TURNS, all.pinned());
            }
        }
        return all;
    }

    /** Both at once. */
    private static void warmUp(
            LoadGenerator load,
            LoadGenerator other,
            Running without,
            Running with,
            String path,
            int seconds) {
        other.begin(without.port(), path, seconds);
        load.run(with.port(), path, seconds);
        other.await();
    }

    /** They take turns to be first. */
    private static void take(
            LoadGenerator load, Running without, Running with, String path, int turns, Two into) {
        for (int turn = 0; turn < turns; turn++) {
            if (turn % 2 == 0) {
                into.without().add(turn(load, without, path));
                into.with().add(turn(load, with, path));
            } else {
                into.with().add(turn(load, with, path));
                into.without().add(turn(load, without, path));
            }
        }
    }

    private static Turn turn(LoadGenerator load, Running service, String path) {
        double before = service.processorSeconds();
        LoadGenerator.Answered answered = load.run(service.port(), path, TURN_SECONDS);
        double used = service.processorSeconds() - before;
        return new Turn(
                answered.requests() / answered.seconds(),
                answered.p99Micros(),
                used * MICROS / answered.requests());
    }
}
