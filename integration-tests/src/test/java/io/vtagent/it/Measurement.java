package io.vtagent.it;

import io.vtagent.it.reference.HeldTime.Doing;
import io.vtagent.it.reference.Scenario;
import java.util.Map;

/**
 * One scenario in one JVM: for how long carriers were held, in seconds over all carriers.
 *
 * @param java the version that the JVM reports
 * @param reference as sampled
 * @param inside as the threads of the workload timed themselves, with all that they did there
 * @param observed as the observer measured it that is compared with the reference
 * @param observedByKind the same by kind, if the observer is the agent
 * @param blocked the part of the reference in which threads waited to enter monitors
 * @param waiting the part in which they were parked or in {@code Object.wait}
 * @param runDelay for how long the carriers were ready and had no CPU
 * @param waking the part of the reference in which a thread that Java calls runnable was ready
 *     again and had no CPU
 * @param wall how long it took
 * @param late the part of that in which the sampler came late
 */
record Measurement(
        Jdk jdk,
        String java,
        Scenario scenario,
        double reference,
        double inside,
        double observed,
        Map<String, Double> observedByKind,
        double blocked,
        double waiting,
        double runDelay,
        double waking,
        double wall,
        double late) {

    /** Returns the figures that {@code jvm} has printed for {@code scenario}. */
    static Measurement of(
            Jdk jdk,
            Scenario scenario,
            ForkedJvm jvm,
            double observed,
            Map<String, Double> observedByKind) {
        return new Measurement(
                jdk,
                jvm.fact("java"),
                scenario,
                seconds(jvm, scenario, "reference"),
                seconds(jvm, scenario, "inside"),
                observed,
                observedByKind,
                seconds(jvm, scenario, Doing.BLOCKED.name()),
                seconds(jvm, scenario, Doing.WAITING.name()),
                seconds(jvm, scenario, "runDelay"),
                seconds(jvm, scenario, Doing.WAKING.name()),
                seconds(jvm, scenario, "wall"),
                seconds(jvm, scenario, "late"));
    }

    static double seconds(ForkedJvm jvm, Scenario scenario, String fact) {
        return jvm.number(scenario.name() + "." + fact) / 1e9;
    }

    /** Whether carriers are held by this on this JDK. */
    boolean isHeld() {
        return scenario.holds(jdk.monitorsPin());
    }

    /** Whether a thread holds its carrier from when it begins to time itself until it ends. */
    boolean isHeldAllTheTimeInside() {
        return isHeld() && scenario.holdsAllTheTime(jdk.unmountsWaitersForInitializers());
    }

    /**
     * Returns the uncertainty on a busy machine, in seconds. Carriers without a CPU may count as
     * held or not. The same is true of carriers that the sampler did not sample in time; half of
     * that time is known from the next sample.
     */
    double doubt() {
        return runDelay + reference * late / wall / 2;
    }

    /**
     * Returns what was observed with the kind that the reference has, as a fraction of the
     * reference. A thread that waits for a class to be initialized sleeps, or waits to enter the
     * lock that the JVM uses for that: Java does not distinguish that lock from other monitors.
     */
    double shareInKind() {
        double parked = Math.min(observed("park") + observed("wait"), waiting);
        double offCpu = reference - blocked - waiting;
        double observedOffCpu = scenario.offCpuKinds().stream().mapToDouble(this::observed).sum();
        double others =
                scenario.offCpuKinds().contains("class_init")
                        ? Math.min(observed("enter") + observedOffCpu, blocked + offCpu)
                        : Math.min(observed("enter"), blocked) + Math.min(observedOffCpu, offCpu);
        return (parked + others) / reference;
    }

    private double observed(String kind) {
        return observedByKind.getOrDefault(kind, 0.0);
    }

    /** Returns what was observed, as a fraction of the reference. */
    double share() {
        return observed / reference;
    }
}
