package io.vtagent.it.truth;

import io.vtagent.it.truth.HeldTime.Doing;
import io.vtagent.it.workload.Tasks;
import io.vtagent.it.workload.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code OBSERVER MILLIS SCENARIO...}: a round of every scenario that does not count, to warm up,
 * but for {@link Scenario#isStartUp}; then each for that long, with the truth and what the observer
 * saw of it. Nothing is held whenever it says something.
 */
public final class Measured {
    private static final Duration WARM_UP = Duration.ofMillis(300);

    private Measured() {}

    public static void main(String[] arguments) throws Exception {
        Duration length = Duration.ofMillis(Long.parseLong(arguments[1]));
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : List.of(arguments).subList(2, arguments.length)) {
            scenarios.add(Scenario.valueOf(name));
        }
        Told.fact("java", Runtime.version());
        try (Observer observer = Observer.of(Observer.Kind.valueOf(arguments[0]));
                CarrierSampler sampler = new CarrierSampler()) {
            for (Scenario scenario : scenarios) {
                if (!scenario.isStartUp()) {
                    run(scenario.threads(), scenario.factory(), WARM_UP);
                }
            }
            long observedNanos = observer.heldNanos();
            Told.says("warm");
            for (Scenario scenario : scenarios) {
                HeldTime before = sampler.soFar();
                long beganNanos = System.nanoTime();
                long insideNanos =
                        run(scenario.threads(), scenario.factory(), scenario.lasting(length))
                                .nanos();
                long wallNanos = System.nanoTime() - beganNanos;
                HeldTime truth = sampler.soFar().since(before);
                long nowObservedNanos = observer.heldNanos();
                tell(scenario, truth, insideNanos, wallNanos, nowObservedNanos - observedNanos);
                observedNanos = nowObservedNanos;
                Told.says(scenario + " done");
            }
        }
    }

    /**
     * What the threads of a workload did.
     *
     * @param nanos how long they were inside of it, together
     * @param times how often they were
     */
    record Inside(long nanos, long times) {}

    @SuppressWarnings(
            "ThreadPriorityCheck") // the yield; or the first threads keep all carriers until the
    // end
    static Inside run(int threads, Workload.Factory factory, Duration length) throws Exception {
        LongAdder insideNanos = new LongAdder();
        LongAdder times = new LongAdder();
        try (Workload workload = factory.create(threads, length)) {
            long beganNanos = System.nanoTime();
            Tasks.run(
                    threads,
                    thread -> {
                        for (int round = 0;
                                System.nanoTime() - beganNanos < length.toNanos();
                                round++) {
                            long enteredNanos = System.nanoTime();
                            workload.hold(thread, round);
                            insideNanos.add(System.nanoTime() - enteredNanos);
                            times.increment();
                            Thread.yield();
                        }
                    });
        }
        return new Inside(insideNanos.sum(), times.sum());
    }

    private static void tell(
            Scenario scenario,
            HeldTime truth,
            long insideNanos,
            long wallNanos,
            long observedNanos) {
        Told.fact(scenario + ".truth", truth.heldNanos());
        for (Doing doing : Doing.values()) {
            Told.fact(scenario + "." + doing, truth.nanos(doing));
        }
        Told.fact(scenario + ".inside", insideNanos);
        Told.fact(scenario + ".wall", wallNanos);
        Told.fact(scenario + ".observed", observedNanos);
        Told.fact(scenario + ".runDelay", truth.runDelayNanos());
        Told.fact(scenario + ".rounds", truth.rounds());
        Told.fact(scenario + ".late", truth.lateNanos());
        Told.fact(scenario + ".samplerCpu", truth.cpuNanos());
        Told.fact(scenario + ".carriers", truth.carriers());
    }
}
