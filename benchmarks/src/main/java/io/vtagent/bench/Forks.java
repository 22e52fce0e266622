package io.vtagent.bench;

import io.vtagent.bench.jmh.MonitorBenchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs JMH benchmarks in forks by turns. The median iteration of a fork counts. */
final class Forks {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int TIMEOUT_SECONDS = 20;

    private static final int WARM_UP_MILLIS = 1_000;

    private final boolean quick;
    private final int warmUpMillis;

    Forks(boolean quick) {
        this(quick, WARM_UP_MILLIS);
    }

    private Forks(boolean quick, int warmUpMillis) {
        this.quick = quick;
        this.warmUpMillis = warmUpMillis;
    }

    /** Returns the same, in JVMs that have run for {@code millis} before they are measured. */
    Forks after(int millis) {
        return new Forks(quick, millis);
    }

    /** The figures of each arm, round by round, in the benchmark's unit. */
    List<List<Double>> alternate(Jvm jvm, String benchmark, List<Arm> arms, int rounds) {
        List<List<Double>> scores = new ArrayList<>();
        arms.forEach(arm -> scores.add(new ArrayList<>()));
        for (int round = 0; round < (quick ? 1 : rounds); round++) {
            for (int arm = 0; arm < arms.size(); arm++) {
                scores.get(arm).add(score(fork(jvm, benchmark, arms.get(arm))));
            }
        }
        return scores;
    }

    /**
     * The cost of one operation.
     *
     * @param score in the benchmark's unit
     * @param bytes that it allocates
     */
    record Cost(double score, double bytes) {}

    Cost cost(Jvm jvm, String benchmark, Arm arm, int rounds) {
        List<Double> scores = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        for (int round = 0; round < (quick ? 1 : rounds); round++) {
            RunResult fork = fork(jvm, benchmark, arm);
            scores.add(score(fork));
            bytes.add(median(fork, Forks::allocated));
        }
        return new Cost(Pairs.median(scores), Pairs.median(bytes));
    }

    private RunResult fork(Jvm jvm, String benchmark, Arm arm) {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(
                                "^\\Q"
                                        + MonitorBenchmark.class.getPackageName()
                                        + "."
                                        + benchmark
                                        + "\\E$")
                        .jvm(jvm.java())
                        .jvmArgsPrepend(jvm.arguments().toArray(String[]::new))
                        .jvmArgs(arm.jvmArguments().toArray(String[]::new))
                        .forks(1)
                        .warmupIterations(quick ? 1 : 2)
                        .warmupTime(TimeValue.milliseconds(quick ? 250 : warmUpMillis / 2))
                        .measurementIterations(quick ? 1 : 4)
                        .measurementTime(TimeValue.milliseconds(quick ? 250 : 400))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .timeout(TimeValue.seconds(TIMEOUT_SECONDS))
                        .shouldFailOnError(true);
        try {
            return new Runner(options.build()).runSingle();
        } catch (RunnerException failure) {
            throw new IllegalStateException(benchmark + " on JDK " + jvm.version(), failure);
        }
    }

    private static double score(RunResult fork) {
        return median(fork, Forks::score);
    }

    private static double median(RunResult fork, ToDoubleFunction<IterationResult> figure) {
        List<Double> iterations = new ArrayList<>();
        fork.getBenchmarkResults()
                .forEach(
                        benchmark ->
                                benchmark
                                        .getIterationResults()
                                        .forEach(
                                                iteration ->
                                                        iterations.add(
                                                                figure.applyAsDouble(iteration))));
        return Pairs.median(iterations);
    }

    /**
     * Returns the median of the samples, because a few of them are disturbed by the operating
     * system.
     */
    private static double score(IterationResult iteration) {
        Result<?> result = iteration.getPrimaryResult();
        return result instanceof SampleTimeResult
                ? result.getStatistics().getPercentile(50)
                : result.getScore();
    }

    @SuppressWarnings("rawtypes") // as JMH has it
    private static double allocated(IterationResult iteration) {
        return iteration.getSecondaryResults().entrySet().stream()
                .filter(secondary -> secondary.getKey().endsWith(ALLOCATED))
                .mapToDouble(secondary -> secondary.getValue().getScore())
                .findFirst()
                .orElse(Double.NaN);
    }
}
