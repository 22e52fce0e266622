package io.vtagent.it.reference;

import io.vtagent.it.reference.HeldTime.Doing;
import io.vtagent.it.workload.Tasks;
import io.vtagent.it.workload.WorkloadConsole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code OBSERVER MILLIS SCENARIO...}: a round of every scenario that does not count, to warm up,
 * except for {@link Scenario#isStartUp}; then each for that long, with the reference and the
 * observer's figures. Nothing is held while it prints.
 */
public final class ScenarioMain {
    private static final Duration WARM_UP = Duration.ofMillis(300);

    private ScenarioMain() {}

    public static void main(String[] arguments) throws Exception {
        Duration length = Duration.ofMillis(Long.parseLong(arguments[1]));
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : List.of(arguments).subList(2, arguments.length)) {
            scenarios.add(Scenario.valueOf(name));
        }
        WorkloadConsole.fact("java", Runtime.version());
        try (Observer observer = Observer.of(Observer.Kind.valueOf(arguments[0]));
                CarrierSampler sampler = new CarrierSampler()) {
            for (Scenario scenario : scenarios) {
                if (!scenario.isStartUp()) {
                    run(scenario.threads(), scenario.factory(), WARM_UP);
                }
            }
            long observedNanos = observer.heldNanos();
            WorkloadConsole.printAndWait("warm");
            for (Scenario scenario : scenarios) {
                HeldTime before = sampler.soFar();
                long beganNanos = System.nanoTime();
                long insideNanos =
                        run(scenario.threads(), scenario.factory(), scenario.lasting(length))
                                .nanos();
                long wallNanos = System.nanoTime() - beganNanos;
                HeldTime reference = sampler.soFar().since(before);
                long nowObservedNanos = observer.heldNanos();
                report(
                        scenario,
                        reference,
                        insideNanos,
                        wallNanos,
                        nowObservedNanos - observedNanos);
                observedNanos = nowObservedNanos;
                WorkloadConsole.printAndWait(scenario + " done");
            }
        }
    }

    /**
     * The activity of the threads of a workload.
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

    private static void report(
            Scenario scenario,
            HeldTime reference,
            long insideNanos,
            long wallNanos,
            long observedNanos) {
        WorkloadConsole.fact(scenario + ".reference", reference.heldNanos());
        for (Doing doing : Doing.values()) {
            WorkloadConsole.fact(scenario + "." + doing, reference.nanos(doing));
        }
        WorkloadConsole.fact(scenario + ".inside", insideNanos);
        WorkloadConsole.fact(scenario + ".wall", wallNanos);
        WorkloadConsole.fact(scenario + ".observed", observedNanos);
        WorkloadConsole.fact(scenario + ".runDelay", reference.runDelayNanos());
        WorkloadConsole.fact(scenario + ".rounds", reference.rounds());
        WorkloadConsole.fact(scenario + ".late", reference.lateNanos());
        WorkloadConsole.fact(scenario + ".samplerCpu", reference.cpuNanos());
        WorkloadConsole.fact(scenario + ".carriers", reference.carriers());
    }
}
