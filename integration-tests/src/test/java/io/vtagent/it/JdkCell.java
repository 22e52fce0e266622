package io.vtagent.it;

import com.sun.jna.Native;
import io.vtagent.it.reference.JdkCase;
import io.vtagent.it.reference.JdkCases;
import io.vtagent.it.reference.SettledFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A way of blocking on one JDK; all times are in seconds over all threads.
 *
 * @param inside how long the threads were blocked, carrier or not
 * @param reference how long carriers were held, as sampled
 * @param runDelay how long carriers could have run and had no CPU
 * @param reported how long they were held according to the agent, by kind and reason
 */
record JdkCell(double inside, double reference, double runDelay, Map<String, Double> reported) {
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
                Map<String, Double> reported = new TreeMap<>(now);
                before.forEach((name, seconds) -> reported.merge(name, -seconds, Double::sum));
                before = now;
                cells.add(
                        new JdkCell(
                                seconds(jvm, each, "inside"),
                                seconds(jvm, each, "reference"),
                                seconds(jvm, each, "runDelay"),
                                reported));
            }
            return new Column(jdk, jvm.fact("java"), cells);
        }
    }

    private static double seconds(ForkedJvm jvm, JdkCase jdkCase, String fact) {
        return jvm.number(jdkCase + "." + fact) / NANOS_PER_SECOND;
    }

    /** Returns the agent's times by kind and reason, when everything that comes late has come. */
    private static Map<String, Double> settled(Endpoint endpoint) {
        SettledFigure.value(() -> (long) endpoint.report().get("heldNanos").number());
        Map<String, Double> seconds = new TreeMap<>();
        for (Json total : endpoint.report().get("totals").list()) {
            String name = total.get("kind").string() + " " + total.get("reason").string();
            seconds.merge(name, total.get("heldNanos").number() / NANOS_PER_SECOND, Double::sum);
        }
        return seconds;
    }

    boolean pins() {
        return reference > LITTLE * inside;
    }

    double all() {
        return reported.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Returns the error of what is reported as that kind and reason, as a fraction of the
     * reference; 0 if that is empty, because nothing is held then. It may leave out the time for
     * which a carrier could have run and had no CPU.
     */
    double error(String kindAndReason) {
        if (kindAndReason.isEmpty()) {
            return 0;
        }
        double seconds = reported.getOrDefault(kindAndReason, 0.0);
        return Math.max(seconds - reference, reference - runDelay - seconds) / reference;
    }
}
