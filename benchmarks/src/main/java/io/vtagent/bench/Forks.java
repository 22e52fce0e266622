package io.vtagent.bench;

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

/** Runs JMH benchmarks in forks alternately without the agent and with it. The median iteration of a fork counts. */
final class Forks {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int TIMEOUT_SECONDS = 20;

    /** Otherwise the JVM tells JVMTI of each mount and unmount as soon as there is an agent (globals.hpp). */
    private static final List<String> UNTOLD =
            List.of("-XX:+UnlockExperimentalVMOptions", "-XX:-DoJVMTIVirtualThreadTransitions");

    private final String agentJar;
    private final boolean quick;

    Forks(String agentJar, boolean quick) {
        this.agentJar = agentJar;
        this.quick = quick;
    }

    /** In the benchmark's unit. */
    Pairs compare(Jvm jvm, String benchmark, List<String> jvmArguments, int rounds) {
        List<List<Double>> arms = alternate(jvm, benchmark, rounds, List.of(jvmArguments, with(jvmArguments, "")));
        return new Pairs(arms.get(0), arms.get(1));
    }

    /**
     * What the agent is compared with: no agent, and {@link EmptyAgent}. In the benchmark's unit.
     *
     * @param untold no agent, and the agent in a JVM that does not tell JVMTI of mounts and unmounts
     */
    record Baselines(Pairs none, Pairs empty, Pairs untold) {}

    Baselines compareWithAll(Jvm jvm, String benchmark, int rounds) {
        List<String> empty = List.of("-javaagent:" + System.getProperty("java.class.path"));
        List<List<String>> jvmArguments = List.of(List.of(), empty, with(List.of(), ""), with(UNTOLD, ""));
        List<List<Double>> arms = alternate(jvm, benchmark, rounds, jvmArguments);
        return new Baselines(
                new Pairs(arms.get(0), arms.get(2)),
                new Pairs(arms.get(1), arms.get(2)),
                new Pairs(arms.get(0), arms.get(3)));
    }

    private List<List<Double>> alternate(Jvm jvm, String benchmark, int rounds, List<List<String>> jvmArguments) {
        List<List<Double>> arms = new ArrayList<>();
        jvmArguments.forEach(arm -> arms.add(new ArrayList<>()));
        for (int round = 0; round < (quick ? 1 : rounds); round++) {
            for (int arm = 0; arm < arms.size(); arm++) {
                arms.get(arm).add(score(fork(jvm, benchmark, jvmArguments.get(arm))));
            }
        }
        return arms;
    }

    /** Without the agent. In the benchmark's unit. */
    double score(Jvm jvm, String benchmark, int rounds) {
        return Pairs.median(
                alternate(jvm, benchmark, rounds, List.of(List.of())).get(0));
    }

    /**
     * What one operation takes.
     *
     * @param score in the benchmark's unit
     * @param bytes that it allocates
     */
    record Cost(double score, double bytes) {}

    /** With the agent only, which gets {@code agentOptions}. */
    Cost cost(Jvm jvm, String benchmark, String agentOptions, int rounds) {
        List<Double> scores = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        for (int round = 0; round < (quick ? 1 : rounds); round++) {
            RunResult fork = fork(jvm, benchmark, with(List.of(), "," + agentOptions));
            scores.add(score(fork));
            bytes.add(median(fork, Forks::allocated));
        }
        return new Cost(Pairs.median(scores), Pairs.median(bytes));
    }

    private List<String> with(List<String> jvmArguments, String agentOptions) {
        List<String> all = new ArrayList<>(jvmArguments);
        all.add("-javaagent:" + agentJar + "=port=0,report=off,log=error" + agentOptions);
        return all;
    }

    private RunResult fork(Jvm jvm, String benchmark, List<String> jvmArguments) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^\\Q" + Forks.class.getPackageName() + "." + benchmark + "\\E$")
                .jvm(jvm.java())
                .jvmArgsPrepend(jvm.arguments().toArray(String[]::new))
                .jvmArgs(jvmArguments.toArray(String[]::new))
                .forks(1)
                .warmupIterations(quick ? 1 : 3)
                .warmupTime(TimeValue.milliseconds(quick ? 250 : 500))
                .measurementIterations(quick ? 1 : 5)
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
                .forEach(benchmark -> benchmark
                        .getIterationResults()
                        .forEach(iteration -> iterations.add(figure.applyAsDouble(iteration))));
        return Pairs.median(iterations);
    }

    /** Of samples the median, since a few of them are the operating system's. */
    private static double score(IterationResult iteration) {
        Result<?> result = iteration.getPrimaryResult();
        return result instanceof SampleTimeResult ? result.getStatistics().getPercentile(50) : result.getScore();
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
