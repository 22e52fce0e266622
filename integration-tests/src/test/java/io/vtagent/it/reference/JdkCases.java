package io.vtagent.it.reference;

import io.vtagent.it.reference.HeldTime.Doing;
import io.vtagent.it.workload.WorkloadConsole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code MILLIS CASE...}: each {@link JdkCase} briefly, to warm up; then each for that long, with
 * the reference and how long the threads were inside. Nothing is held while it prints.
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
        WorkloadConsole.fact("java", Runtime.version());
        try (CarrierSampler sampler = new CarrierSampler()) {
            for (JdkCase each : cases) {
                WorkloadConsole.fact(each + ".warmUps", each.run(WARM_UP).times());
            }
            WorkloadConsole.printAndWait("warm");
            for (JdkCase each : cases) {
                HeldTime before = sampler.soFar();
                ScenarioMain.Inside inside = each.run(length);
                HeldTime reference = sampler.soFar().since(before);
                WorkloadConsole.fact(each + ".inside", inside.nanos());
                WorkloadConsole.fact(each + ".times", inside.times());
                WorkloadConsole.fact(each + ".reference", reference.heldNanos());
                WorkloadConsole.fact(each + ".runDelay", reference.runDelayNanos());
                for (Doing doing : Doing.values()) {
                    WorkloadConsole.fact(each + "." + doing, reference.nanos(doing));
                }
                WorkloadConsole.printAndWait(each + " done");
            }
        }
    }
}
