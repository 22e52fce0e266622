package io.vtagent.it.truth;

import io.vtagent.it.truth.HeldTime.Doing;
import io.vtagent.it.workload.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code MILLIS CASE...}: each {@link JdkCase} briefly, to warm up; then each for that long, with
 * the truth and how long the threads were inside. Nothing is held whenever it says something.
 */
public final class JdkCases {
    private static final Duration WARM_UP = Duration.ofMillis(200);

    private JdkCases() {}

    public static void main(String[] arguments) throws Exception {
        Duration length = Duration.ofMillis(Long.parseLong(arguments[0]));
        List<JdkCase> cases = new ArrayList<>();
        for (String name : List.of(arguments).subList(1, arguments.length)) {
            cases.add(JdkCase.valueOf(name));
        }
        Told.fact("java", Runtime.version());
        try (CarrierSampler sampler = new CarrierSampler()) {
            for (JdkCase each : cases) {
                Told.fact(each + ".warmUps", each.run(WARM_UP).times());
            }
            Told.says("warm");
            for (JdkCase each : cases) {
                HeldTime before = sampler.soFar();
                Measured.Inside inside = each.run(length);
                HeldTime truth = sampler.soFar().since(before);
                Told.fact(each + ".inside", inside.nanos());
                Told.fact(each + ".times", inside.times());
                Told.fact(each + ".truth", truth.heldNanos());
                Told.fact(each + ".runDelay", truth.runDelayNanos());
                for (Doing doing : Doing.values()) {
                    Told.fact(each + "." + doing, truth.nanos(doing));
                }
                Told.says(each + " done");
            }
        }
    }
}
