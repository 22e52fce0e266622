package io.vtagent.bench;

import io.vtagent.bench.Cost.Measured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What is measured, and what is asked of it. */
final class Costs {
    private static final double MEBIBYTE = 1 << 20;
    private static final double KIBIBYTES_PER_MEBIBYTE = 1 << 10;
    private static final List<String> PLATFORM = List.of();
    private static final List<String> VIRTUAL =
            List.of("-Djmh.executor=VIRTUAL", "-Djdk.virtualThreadScheduler.parallelism=1");

    /** Where 0.01 of a throughput has to be told from noise, more than elsewhere. */
    private static final int MANY_ROUNDS = 7;

    /** Where nothing pins, relief is not to be felt. */
    private static final double MOST_PERCENT_OF_A_YIELD = 2;

    private static final double NANOS_PER_MICRO = 1_000;

    private static final int ROUNDS = 5;
    private static final int FEW_ROUNDS = 3;
    private static final int STARTS = 21;

    private final Path agentJar;
    private final Forks forks;
    private final Processes processes;
    private final boolean quick;
    private final Map<Jvm, Processes.Rounds> heaps = new HashMap<>();
    private final Map<Jvm, Processes.Rounds> loadings = new HashMap<>();

    Costs(Path agentJar, boolean quick) {
        this.agentJar = agentJar;
        this.quick = quick;
        forks = new Forks(agentJar.toString(), quick);
        processes = new Processes("-javaagent:" + agentJar + "=port=0");
    }

    /** In the order of the table. */
    List<Cost> all() {
        List<Cost> all = new ArrayList<>();
        all.add(monitor("`synchronized` block, uncontended, platform thread", "block", PLATFORM, 0.5));
        all.add(monitor("`synchronized` method, uncontended, platform thread", "method", PLATFORM, 0.5));
        all.add(monitor("`synchronized` block, uncontended, virtual thread", "block", VIRTUAL, 2));
        all.add(monitor("`synchronized` method, uncontended, virtual thread", "method", VIRTUAL, 2));
        all.add(monitor("block in a block of the same monitor, virtual thread", "reentered", VIRTUAL));
        all.add(monitor("block of a monitor once waited on, virtual thread", "inflated", VIRTUAL));
        all.addAll(throughput("`Thread.yield`", "SwitchBenchmark.yieldCarrier", 0.99));
        all.addAll(throughput("`park` and `unpark`, there and back", "SwitchBenchmark.parkAndUnpark", 0.99));
        all.addAll(throughput("hand-off by `SynchronousQueue`", "SwitchBenchmark.synchronousQueue", 0.99));
        all.addAll(throughput("hand-off by `ArrayBlockingQueue`", "SwitchBenchmark.arrayBlockingQueue", 0.99));
        all.add(new Cost(
                "one unmount under `relief=on`, where nothing pins: the probe alone",
                "at most 2 % of a `Thread.yield` without an agent",
                this::unmount));
        all.addAll(throughput("`wait` and `notify`, there and back", "HeldBenchmark.waitAndNotify", 0));
        all.addAll(throughput("contended `synchronized`", "HeldBenchmark.contended", 0));
        all.add(new Cost("one pin, no stack: the probe alone", "at most 300 ns, 0 B", this::pinWithoutStack));
        all.add(new Cost("one pin, no stack: a pinned `park`", "at most +300 ns", this::pinnedPark));
        all.add(new Cost("one pin with its stack, warm, 50 frames", "at most 15 µs", this::pinWithStack));
        all.add(delayProbe("a virtual thread every 100 ms", 10));
        all.add(delayProbe("1,000 virtual threads a second that compute", 1_000));
        all.add(new Cost("\"hello world\", start to end", "at most +0.25 s", this::start));
        all.add(new Cost("a library's class, loaded", "", this::classLoading));
        all.add(new Cost("live heap, 250 sites of 50 frames where monitors pin", "at most +6 MiB", this::liveHeap));
        all.add(new Cost("peak resident memory of the same", "", this::resident));
        all.add(new Cost("the jar", "at most 6 MiB", jvm -> jar()));
        return all;
    }

    private Cost monitor(String what, String benchmark, List<String> thread, double limitNanos) {
        String target = String.format(Locale.ROOT, "at most +%.1f ns on 21, not wrapped on 25", limitNanos);
        return new Cost(what, target, jvm -> monitor(jvm, benchmark, thread, limitNanos));
    }

    private Cost monitor(String what, String benchmark, List<String> thread) {
        return new Cost(what, "", jvm -> monitor(jvm, benchmark, thread, Double.MAX_VALUE));
    }

    private Measured monitor(Jvm jvm, String benchmark, List<String> thread, double limitNanos) {
        int rounds = limitNanos == Double.MAX_VALUE ? FEW_ROUNDS : ROUNDS;
        Pairs pairs = forks.compare(jvm, "MonitorBenchmark." + benchmark, thread, rounds);
        boolean wrapped = loading(jvm).with().get(0).printed("wrapped") > 0;
        Pairs.Summary summary = pairs.differences();
        String text = summary.text("%+.2f", " ns") + (wrapped ? "" : ", not wrapped");
        return new Measured(text, !wrapped || summary.median() <= limitNanos);
    }

    /** Three lines: the JVM pays for an agent that does nothing, too, unless it is told not to. */
    private List<Cost> throughput(String what, String benchmark, double least) {
        Map<Jvm, Forks.Baselines> measured = new HashMap<>();
        Function<Jvm, Forks.Baselines> measure = jvm -> measured.computeIfAbsent(
                jvm, on -> forks.compareWithAll(on, benchmark, least > 0 ? MANY_ROUNDS : FEW_ROUNDS));
        String target = least > 0 ? "at least " + least : "";
        String line = what + ", virtual threads, of the throughput ";
        return List.of(
                new Cost(
                        line + "without an agent",
                        target,
                        jvm -> ratio(measure.apply(jvm).none(), least)),
                new Cost(
                        line + "with an agent that does nothing",
                        target,
                        jvm -> ratio(measure.apply(jvm).empty(), least)),
                new Cost(
                        line + "without an agent, under `-XX:-DoJVMTIVirtualThreadTransitions`",
                        target,
                        jvm -> ratio(measure.apply(jvm).untold(), least)));
    }

    private static Measured ratio(Pairs pairs, double least) {
        Pairs.Summary summary = pairs.ratios();
        return new Measured(summary.text("%.3f", ""), summary.median() >= least);
    }

    private Measured pinWithoutStack(Jvm jvm) {
        Forks.Cost cost = forks.cost(jvm, "PinBenchmark.withoutStack", "stack-threshold=1h", FEW_ROUNDS);
        String text = String.format(Locale.ROOT, "%.0f ns, %.1f B", cost.score(), cost.bytes());
        return new Measured(text, cost.score() <= 300 && cost.bytes() < 0.1);
    }

    private Measured unmount(Jvm jvm) {
        double nanos = forks.cost(jvm, "PinBenchmark.unmounted", "relief=on", FEW_ROUNDS)
                .score();
        double yieldNanos = NANOS_PER_MICRO / forks.score(jvm, "SwitchBenchmark.yieldCarrier", FEW_ROUNDS);
        double percent = 100 * nanos / yieldNanos;
        String text = String.format(Locale.ROOT, "%.1f ns: %.1f %% of %.0f ns", nanos, percent, yieldNanos);
        return new Measured(text, percent <= MOST_PERCENT_OF_A_YIELD);
    }

    private Measured pinnedPark(Jvm jvm) {
        Pairs.Summary summary =
                forks.compare(jvm, "PinBenchmark.park", List.of(), ROUNDS).differences();
        return new Measured(summary.text("%+.0f", " ns"), summary.median() <= 300);
    }

    private Measured pinWithStack(Jvm jvm) {
        Forks.Cost cost = forks.cost(jvm, "PinBenchmark.withStack", "stack-threshold=0ms", FEW_ROUNDS);
        double micros = cost.score() / 1000;
        return new Measured(String.format(Locale.ROOT, "%.1f µs", micros), micros <= 15);
    }

    private Cost delayProbe(String application, int threadsPerSecond) {
        String others = "report=off,native-sample=off,vm-events=off,delay-probe=";
        return new Cost("the probe of `vthread.scheduler.delay`, beside " + application, "", jvm -> {
            Pairs.Summary summary = processes
                    .compareOption(
                            jvm,
                            others + "off",
                            others + "100ms",
                            quick ? 1 : ROUNDS,
                            SteadyWork.class,
                            Integer.toString(threadsPerSecond))
                    .pairs(outcome -> outcome.printed("processorPercent"))
                    .differences();
            return new Measured(summary.text("%+.2f", " %% of a processor"), true);
        });
    }

    private Measured start(Jvm jvm) {
        Pairs.Summary summary = processes
                .compare(jvm, Hello.class, quick ? 2 : STARTS)
                .pairs(Processes.Outcome::seconds)
                .differences();
        return new Measured(summary.text("%+.2f", " s"), summary.median() <= 0.25);
    }

    private Measured classLoading(Jvm jvm) {
        Pairs pairs = loading(jvm).pairs(outcome -> outcome.printed("microsPerClass"));
        double classes = loading(jvm).with().get(0).printed("classes");
        String text = pairs.differences().text("%+.1f", " µs")
                + String.format(Locale.ROOT, " on %.0f µs; %.0f classes", Pairs.median(pairs.without()), classes);
        return new Measured(text, true);
    }

    private Processes.Rounds loading(Jvm jvm) {
        return loadings.computeIfAbsent(jvm, on -> processes.compare(on, ClassLoading.class, quick ? 1 : ROUNDS));
    }

    private Measured liveHeap(Jvm jvm) {
        return memory(jvm, outcome -> outcome.printed("liveBytes") / MEBIBYTE, 6);
    }

    private Measured resident(Jvm jvm) {
        Function<Processes.Outcome, Double> mebibytes =
                outcome -> outcome.printed("peakResidentKiB") / KIBIBYTES_PER_MEBIBYTE;
        return memory(jvm, mebibytes, Double.MAX_VALUE);
    }

    private Measured memory(Jvm jvm, Function<Processes.Outcome, Double> mebibytes, double limit) {
        Pairs.Summary summary = heaps.computeIfAbsent(
                        jvm, on -> processes.compare(on, LiveHeap.class, quick ? 1 : FEW_ROUNDS))
                .pairs(mebibytes::apply)
                .differences();
        return new Measured(summary.text("%+.1f", " MiB"), summary.median() <= limit);
    }

    private Measured jar() {
        try {
            double mebibytes = Files.size(agentJar) / MEBIBYTE;
            return new Measured(String.format(Locale.ROOT, "%.1f MiB", mebibytes), mebibytes <= 6);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
