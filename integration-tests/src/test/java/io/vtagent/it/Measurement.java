package io.vtagent.it;

import io.vtagent.it.truth.HeldTime.Doing;
import io.vtagent.it.truth.Scenario;
import java.util.Map;

/**
 * One scenario in one JVM: for how long carriers were held, in seconds over all carriers.
 *
 * @param java the version that the JVM says it has
 * @param truth as sampled
 * @param inside as the threads of the workload timed themselves, with all that they did there
 * @param observed as the one says who was to be held against the truth
 * @param observedByKind the same by kind, if it was the agent
 * @param blocked the part of the truth in which threads waited to enter monitors
 * @param waiting the part in which they were parked or in {@code Object.wait}
 * @param runDelay for how long the carriers were ready and had no processor
 * @param waking the part of the truth in which a thread that Java calls runnable was ready again
 *     and had no processor
 * @param wall how long it took
 * @param late the part of that in which the sampler came late
 */
record Measurement(
        Jdk jdk,
        String java,
        Scenario scenario,
        double truth,
        double inside,
        double observed,
        Map<String, Double> observedByKind,
        double blocked,
        double waiting,
        double runDelay,
        double waking,
        double wall,
        double late) {

    /** What {@code jvm} has told about {@code scenario}. */
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
                seconds(jvm, scenario, "truth"),
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
     * What a busy machine leaves open, in seconds: carriers that had no processor may be taken for
     * held or not, and so may those at which the sampler did not look in time, of which half the
     * time is told by the next look.
     */
    double doubt() {
        return runDelay + truth * late / wall / 2;
    }

    /**
     * What was observed and is of a kind that the truth says it was, as a part of the truth. Who
     * waits for a class to be initialized sleeps, or waits to enter the lock by which the JVM sees
     * to it: Java tells that from no other monitor.
     */
    double shareInKind() {
        double parked = Math.min(observed("park") + observed("wait"), waiting);
        double asleep = truth - blocked - waiting;
        double observedAsleep = scenario.kindsAsleep().stream().mapToDouble(this::observed).sum();
        double others =
                scenario.kindsAsleep().contains("class_init")
                        ? Math.min(observed("enter") + observedAsleep, blocked + asleep)
                        : Math.min(observed("enter"), blocked) + Math.min(observedAsleep, asleep);
        return (parked + others) / truth;
    }

    private double observed(String kind) {
        return observedByKind.getOrDefault(kind, 0.0);
    }

    /** What was observed, as a part of the truth. */
    double share() {
        return observed / truth;
    }
}
