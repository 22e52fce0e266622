package io.vtagent.it;

import com.sun.jna.Native;
import io.vtagent.it.truth.JdkCase;
import io.vtagent.it.truth.JdkCases;
import io.vtagent.it.truth.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A way of blocking on one JDK; all times are in seconds over all threads.
 *
 * @param inside how long the threads were blocked, carrier or not
 * @param truth how long carriers were held, as sampled
 * @param runDelay how long carriers could have run and had no processor
 * @param told how long the agent says that they were, by kind and reason
 */
record JdkCell(double inside, double truth, double runDelay, Map<String, Double> told) {
    /** A part of the time that is no more than the machine's noise. */
    static final double LITTLE = 0.1;

    private static final int CARRIERS = 8;
    private static final int MILLIS = 600;
    private static final double NANOS_PER_SECOND = 1e9;

    /** The cells of one JDK, in the order of {@code cases}. */
    record Column(Jdk jdk, String java, List<JdkCell> cells) {}

    static Column measure(Jdk jdk, List<JdkCase> cases) {
        List<Object> arguments = new ArrayList<>(List.of(MILLIS));
        arguments.addAll(cases);
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,report=off,vm-events=on")
                        .main(JdkCases.class, arguments.toArray())
                        .awaitLine("warm")
                        .awaitSensor("vm")) {
            Endpoint endpoint = jvm.endpoint();
            List<JdkCell> cells = new ArrayList<>();
            Map<String, Double> before = settled(endpoint);
            for (JdkCase each : cases) {
                jvm.proceed().awaitLine(each + " done");
                Map<String, Double> now = settled(endpoint);
                Map<String, Double> told = new TreeMap<>(now);
                before.forEach((name, seconds) -> told.merge(name, -seconds, Double::sum));
                before = now;
                cells.add(
                        new JdkCell(
                                seconds(jvm, each, "inside"),
                                seconds(jvm, each, "truth"),
                                seconds(jvm, each, "runDelay"),
                                told));
            }
            return new Column(jdk, jvm.fact("java"), cells);
        }
    }

    private static double seconds(ForkedJvm jvm, JdkCase jdkCase, String fact) {
        return jvm.number(jdkCase + "." + fact) / NANOS_PER_SECOND;
    }

    /** What the agent says by kind and reason, when all that comes late has come. */
    private static Map<String, Double> settled(Endpoint endpoint) {
        Settled.value(() -> (long) endpoint.report().get("heldNanos").number());
        Map<String, Double> seconds = new TreeMap<>();
        for (Json total : endpoint.report().get("totals").list()) {
            String name = total.get("kind").string() + " " + total.get("reason").string();
            seconds.merge(name, total.get("heldNanos").number() / NANOS_PER_SECOND, Double::sum);
        }
        return seconds;
    }

    boolean pins() {
        return truth > LITTLE * inside;
    }

    double all() {
        return told.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * How far what is told as that kind and reason is from the truth, as a part of it; 0 if that is
     * empty, since nothing is held then. It may leave out the time for which a carrier could have
     * run and had no processor.
     */
    double error(String kindAndReason) {
        if (kindAndReason.isEmpty()) {
            return 0;
        }
        double seconds = told.getOrDefault(kindAndReason, 0.0);
        return Math.max(seconds - truth, truth - runDelay - seconds) / truth;
    }
}
